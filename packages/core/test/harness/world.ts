import { z } from "zod";
import type { Decision } from "../../src/index.js";
import { vandalise, wayNames } from "../vandal.js";
import type { Core } from "./driver.js";

/** The decisions that one core evaluates. */
export interface World {
  readonly used: Decision;
  readonly loan: Decision;
  readonly next: Decision;
  readonly candidate: Decision;
}

const input = z.looseObject({ n: z.number() });
const output = z.object({ allowed: z.boolean(), note: z.unknown().optional() });
const profile = z.object({ max: z.number(), tags: z.array(z.string()).default([]) });

/** Numbers that end in every way that there is. */
export const numbers = [1, 5, 7, 8, 13, 21, 31, 51, 61, 71, 500, 2000] as const;

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { n: value };
  return value;
}

/** Makes a fresh input for each play: rules and hooks write to theirs. */
export const inputs: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(numbers.map((n) => [String(n), () => ({ n, also: { list: [n] } })] as const)),
  text: () => "x",
  null: () => null,
  absent: () => undefined,
  deep: () => ({ n: nested(600) }),
};

/** What `loan` evaluates. */
function defineUsed(core: Core) {
  return core.defineDecision({
    id: "used",
    version: "1.0.0",
    inputSchema: input,
    outputSchema: z.object({ n: z.number() }),
    profileSchema: z.object({ add: z.number().default(1) }),
    rules: [{ id: "u", when: () => true, emit: ({ n }, { add }) => ({ n: n + add }) }],
  });
}

/** @param core - the one that defines them: each evaluates its own */
export function createWorld(core: Core): World {
  const used = defineUsed(core);
  // No rule may evaluate it: it is not listed.
  const stranger = defineUsed(core);
  // Given out again and again: nobody may change it.
  const shared = { list: [1, { deep: true }] };
  const loan = core.defineDecision({
    id: "loan",
    version: "1.0.0",
    uses: [used],
    inputSchema: input,
    outputSchema: output,
    profileSchema: profile,
    rules: [
      {
        id: "boom",
        when: ({ n }) => n === 13,
        emit: () => {
          throw new Error("boom");
        },
      },
      {
        id: "refuse",
        when: ({ n }) => n === 31,
        emit: () => {
          throw Object.assign(new Error("not for you"), { statusCode: 403, code: "NOT_YOU" });
        },
      },
      {
        id: "use",
        when: ({ n }) => n === 7,
        emit: ({ n }, _, context) => {
          const result = context.evaluate(used, { n });
          return { allowed: result.status === "OK" && result.data.n === 8, note: result };
        },
      },
      {
        id: "unlisted",
        when: ({ n }) => n === 71,
        emit: (_, __, context) => ({ allowed: true, note: context.evaluate(stranger, { n: 1 }) }),
      },
      { id: "bad", when: ({ n }) => n === 5, emit: () => JSON.parse('{"allowed":"x"}') },
      { id: "unwritable", when: ({ n }) => n === 51, emit: () => ({ allowed: true, note: 1n }) },
      {
        id: "asks",
        when: ({ n }) => n === 21,
        emit: (_, { max }, { requestId, caller, now }) => ({
          allowed: true,
          note: { requestId, caller, now, max },
        }),
      },
      { id: "shares", when: ({ n }) => n === 61, emit: () => ({ allowed: true, note: shared }) },
      {
        id: "writes",
        when: (read) => read.n === 8,
        emit: (read, given) => {
          vandalise([read, given], wayNames);
          return { allowed: false };
        },
      },
      {
        id: "yes",
        when: ({ n }, { max }) => n < max,
        emit: () => ({ allowed: true }),
        explain: (_, { max }) => `below ${max}`,
      },
      { id: "big", when: ({ n }) => n > 1000, emit: () => ({ allowed: false }) },
    ],
  });
  const schemas = { inputSchema: input, outputSchema: output, profileSchema: profile };
  const next = core.defineDecision({
    ...schemas,
    id: "loan",
    version: "2.0.0",
    rules: [
      {
        id: "two",
        when: () => true,
        emit: () => ({ allowed: false }),
        explain: (_, { max }) => `max ${max}`,
      },
    ],
  });
  const candidate = core.defineDecision({
    ...schemas,
    id: "loan",
    version: "3.0.0-candidate",
    rules: [
      { id: "yes", when: ({ n }, { max }) => n < max && n !== 500, emit: () => ({ allowed: true }) },
      {
        id: "boom",
        when: ({ n }) => n === 500,
        emit: () => {
          throw new Error("the candidate's");
        },
      },
    ],
  });
  return { used, loan, next, candidate };
}
