import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createEvaluator,
  DecernError,
  defineDecision,
  type EvaluationCall,
  type EvaluationEvent,
  type EvaluatorOptions,
  withProfile,
} from "../src/index.js";
import { fixedClock } from "./fixtures.js";
import { createAccessCheck, createRequestHandler } from "./fixtures-http.js";
import { vandalise, wayNames } from "./vandal.js";

/** What a rule keeps between evaluations. Readers of a result must not be able to reach it. */
const refusal = { allowed: false, because: ["nobody"], at: new Date(0), more: new Map([["a", { b: [1] }]]) };

/** Its data is new, kept by the rule, or part of the input, which schemas that accept anything do not copy. */
const decision = withProfile(
  defineDecision({
    id: "watched",
    version: "1",
    inputSchema: z.looseObject({ case: z.string(), payload: z.unknown() }),
    outputSchema: z.any().meta({ type: "object", properties: { allowed: { type: "boolean" } } }),
    profileSchema: z.object({ limits: z.object({ max: z.number() }).readonly(), extra: z.unknown() }),
    rules: [
      {
        id: "throws",
        when: (input) => {
          if (input.case === "throws") throw Object.assign(new Error("broken"), { code: "BROKEN" });
          return false;
        },
        emit: () => ({}),
      },
      { id: "kept", when: (input) => input.case === "kept", emit: () => refusal },
      { id: "shared", when: (input) => input.case === "shared", emit: (input) => input.payload },
      {
        id: "made",
        when: (input) => input.case === "made",
        emit: (input, profile, { now }) => ({ allowed: true, deep: [{ input, profile }], now }),
        explain: (_input, profile) => `at most ${profile.limits.max}`,
      },
    ],
  }),
  { limits: { max: 7 }, extra: { since: new Date(5), tags: new Set(["x"]) } },
);

const cases = ["throws", "kept", "shared", "made", "nobody's", "invalid", "refused", "bad profile"] as const;
type Case = (typeof cases)[number];

function callOf(name: Case) {
  const payload = { allowed: false, list: [{ allowed: false }, [new Date(1)]], nothing: null };
  return {
    input: name === "invalid" ? { case: 1, payload } : { case: name, payload },
    ...(name === "bad profile" ? { profile: { limits: { max: "many" }, extra: [payload] } } : {}),
    requestId: "r",
  };
}

interface Plan {
  readonly name: Case;
  readonly who: readonly string[];
  readonly ways: readonly string[];
  /** Whether the hooks write again after they have settled. */
  readonly later: boolean;
}

/** Hooks, observers and a logger that write to everything they get. */
function vandals({ name, who, ways, later }: Plan): EvaluatorOptions {
  const wreck = (...given: readonly unknown[]): void => {
    for (const each of given) vandalise(each, ways);
  };
  const hook = async (...given: readonly unknown[]): Promise<void> => {
    wreck(...given);
    if (!later) return;
    await null;
    wreck(...given);
  };
  const refuse = (): never => {
    throw { statusCode: 403, message: "Not you", code: "NOT_YOU" };
  };
  const before = async (...given: readonly unknown[]): Promise<void> => {
    if (who.includes("before")) await hook(...given);
    if (name === "refused") refuse();
  };
  const observer = {
    onEvaluated: (event: EvaluationEvent) => {
      if (!who.includes("observer")) return;
      wreck(event);
      if (later) queueMicrotask(() => wreck(event));
    },
  };
  return {
    clock: fixedClock(),
    observers: [observer, observer],
    logger: { error: (...given) => (who.includes("logger") ? wreck(...given) : undefined) },
    hooks: {
      ...(who.includes("before") || name === "refused" ? { beforeEvaluate: before } : {}),
      ...(who.includes("after") ? { afterEvaluate: hook } : {}),
      ...(who.includes("onError") ? { onError: hook } : {}),
    },
  };
}

/** A snapshot of what an observer reads. */
function note(event: EvaluationEvent): unknown {
  const { error } = event;
  return structuredClone({
    id: event.decision.id,
    status: event.status,
    seconds: event.durationSeconds,
    rule: event.matchedRule,
    result: event.result,
    error: error instanceof DecernError ? describeError(error) : error,
    context: { ...event.context },
  });
}

function describeError({ code, statusCode, message, problems }: DecernError): object {
  return { code, statusCode, message, problems };
}

async function inProcess(plan: Plan): Promise<unknown> {
  const notes: unknown[] = [];
  const options = vandals(plan);
  const honest = { onEvaluated: (event: EvaluationEvent) => void notes.push(note(event)) };
  const evaluator = createEvaluator({ ...options, observers: [...(options.observers ?? []), honest] });
  const call = callOf(plan.name);
  try {
    const result = await evaluator.evaluate(decision, call as EvaluationCall);
    await null;
    return { result: structuredClone(result), notes, input: call.input };
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    return { error: describeError(error), notes, input: call.input };
  }
}

async function overHttp(plan: Plan): Promise<unknown> {
  const { input, profile } = callOf(plan.name);
  const reader = { input: () => input, ...(profile === undefined ? {} : { profile: () => profile }) };
  const handler = createRequestHandler(vandals(plan), decision, reader);
  const wreck = (result: unknown): void => {
    if (plan.who.includes("callback")) vandalise(result, plan.ways);
  };
  const reply = await handler.handle({}, "r", wreck);
  const guard = await createAccessCheck(decision, handler, undefined)({}, "r", wreck);
  const asked = await createAccessCheck(decision, handler, (result) => {
    const denied = result.status !== "OK" || !result.data.allowed;
    wreck(result);
    return denied;
  })({}, "r", wreck);
  const { status, body } = reply;
  const failed = [guard, asked].map(({ thrown }) => thrown !== undefined);
  return [{ status, body }, ...failed, guard.allowed, asked.allowed];
}

const plans = fc.record({
  name: fc.constantFrom(...cases),
  who: fc.subarray(["before", "after", "onError", "observer", "logger", "callback"], { minLength: 1 }),
  ways: fc.array(fc.constantFrom(...wayNames), { minLength: 1, maxLength: 6 }),
  later: fc.boolean(),
});

describe("hooks and observers that write to everything they get", () => {
  it("change neither a result in process nor what other observers see", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const watched = await inProcess(plan);
        expect(watched).toEqual(await inProcess({ ...plan, who: [] }));
        expect(watched).toMatchObject({ input: callOf(plan.name).input });
      }),
      { numRuns: 400 },
    );
  });

  it("change neither a reply nor what a guard decides, for this or the next request", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect(await overHttp(plan)).toEqual(await overHttp({ ...plan, who: [] }));
      }),
      { numRuns: 400 },
    );
    expect(refusal).toEqual({
      allowed: false,
      because: ["nobody"],
      at: new Date(0),
      more: new Map([["a", { b: [1] }]]),
    });
  });

  it("grant no access: an observer that changes a no to a yes", async () => {
    for (const name of ["kept", "shared", "nobody's"] as const) {
      const plan = { name, who: ["observer", "after", "before", "callback"], ways: ["verdict"], later: true };
      expect(await overHttp(plan)).toMatchObject({ 3: false, 4: false });
    }
  });
});
