import type { FieldExplanation, Flip } from "@decern/core";
import { type Decision, defineDecision } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerOf, explain } from "./run.js";

const cards = ["gold", "silver", "none"] as const;

/** Intervals of two numbers, in any order and with any overlap; and a list, a flag and one more field to tell them apart. */
const decisionArb = fc
  .array(
    fc.record({
      score: fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 40 })),
      share: fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 60 })),
      card: fc.option(fc.constantFrom(...cards), { nil: undefined }),
      member: fc.option(fc.boolean(), { nil: undefined }),
      pays: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rules) =>
    defineDecision({
      id: "intervals",
      version: "1",
      inputSchema: z.object({
        score: z.int().min(0).max(120),
        share: z.number().min(0).max(1),
        card: z.enum(cards),
        person: z.object({ member: z.boolean().optional() }),
      }),
      outputSchema: z.object({ pays: z.number() }),
      profileSchema: z.object({}),
      rules: rules.map(({ score, share, card, member, pays }, index) => ({
        id: `rule-${index}`,
        when: (input: Input) =>
          within(input.score, score) &&
          within(Math.round(input.share * 100), share) &&
          (card === undefined || input.card === card) &&
          (member === undefined || input.person.member === member),
        emit: (input: Input) => ({ pays: input.score > 60 ? pays : 0 }),
      })),
    }),
  );

interface Input {
  readonly score: number;
  readonly share: number;
  readonly card: (typeof cards)[number];
  readonly person: { readonly member?: boolean | undefined };
}

const inputArb: fc.Arbitrary<Input> = fc.record({
  score: fc.integer({ min: 0, max: 120 }),
  share: fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
  card: fc.constantFrom(...cards),
  person: fc.record({ member: fc.boolean() }, { requiredKeys: [] }),
});

function within(value: number, [from, length]: readonly [number, number]): boolean {
  return value >= from && value <= from + length;
}

/** Every value that a field could have, written down by hand. */
const possible: Readonly<Record<string, readonly unknown[]>> = {
  "/score": Array.from({ length: 121 }, (_, value) => value),
  "/share": Array.from({ length: 101 }, (_, hundredths) => hundredths / 100),
  "/card": cards,
  "/person/member": [true, false, undefined],
};

function changed(input: Input, path: string, value: unknown): unknown {
  if (path === "/person/member") return { ...input, person: value === undefined ? {} : { member: value } };
  return { ...input, [path.slice(1)]: value };
}

/** The values of a field that change the answer. */
function flipsOf(decision: Decision, input: Input, path: string): readonly unknown[] {
  const original = JSON.stringify(answerOf(decision, input));
  return (possible[path] ?? []).filter(
    (value) => JSON.stringify(answerOf(decision, changed(input, path, value))) !== original,
  );
}

const paths = Object.keys(possible);
const distance = (one: unknown, other: unknown): number =>
  Math.round(Math.abs(Number(one) - Number(other)) * 100);

describe("what would change an answer", () => {
  it("really changes it, and is told as it comes out", () => {
    fc.assert(
      fc.property(decisionArb, inputArb, fc.integer({ min: 1, max: 400 }), (decision, input, budget) => {
        const original = answerOf(decision, input);
        for (const { path, flips } of explain(decision, input, budget).fields) {
          for (const flip of flips) {
            const now = answerOf(decision, changed(input, path, flip.to));
            expect(now).toEqual({ status: flip.status, rule: flip.matchedRule, data: flip.data });
            expect(flip.changesRule).toBe(now.rule !== original.rule || now.status !== original.status);
            expect(flip.changesOutput).toBe(now.data?.pays !== original.data?.pays);
            expect(flip.changesRule || flip.changesOutput).toBe(true);
          }
        }
      }),
    );
  });

  it("is everything that one field can change, with a budget for all values", () => {
    fc.assert(
      fc.property(decisionArb, inputArb, (decision, input) => {
        const { fields, complete } = explain(decision, input);
        expect(complete).toBe(true);
        const found = fields.filter(({ path }) => flipsOf(decision, input, path).length > 0);
        expect(fields).toEqual(found);
        expect(fields.map(({ path }) => path).sort()).toEqual(
          paths.filter((path) => flipsOf(decision, input, path).length > 0).sort(),
        );
        for (const { path, flips } of fields) {
          if (path === "/score" || path === "/share") continue;
          expect(new Set(flips.map(({ to }) => to))).toEqual(new Set(flipsOf(decision, input, path)));
        }
      }),
    );
  });

  it("is the nearest of its field wherever it says so, and always says so with a budget for all values", () => {
    const nearer = (decision: Decision, input: Input, { path, value }: FieldExplanation, flip: Flip) =>
      flipsOf(decision, input, path).filter((other) => distance(other, value) < distance(flip.to, value));
    fc.assert(
      fc.property(
        decisionArb,
        inputArb,
        fc.oneof(fc.constant(2000), fc.integer({ min: 4, max: 400 })),
        (decision, input, budget) => {
          for (const field of explain(decision, input, budget).fields) {
            if (field.bands === undefined) continue;
            const [first] = field.flips;
            if (first === undefined) throw new Error("a field without a flip");
            if (budget === 2000) expect(first.isNearest).toBe(true);
            if (first.isNearest) expect(nearer(decision, input, field, first)).toEqual([]);
            const toRule = field.flips.find(({ changesRule }) => changesRule);
            if (toRule?.isNearest !== true) continue;
            const { rule } = answerOf(decision, input);
            const changesRule = nearer(decision, input, field, toRule).filter(
              (value) => answerOf(decision, changed(input, field.path, value)).rule !== rule,
            );
            expect(changesRule).toEqual([]);
          }
        },
      ),
    );
  });

  it("has bands that say of each value which rule matches", () => {
    fc.assert(
      fc.property(decisionArb, inputArb, (decision, input) => {
        for (const { path, bands } of explain(decision, input).fields) {
          if (bands === undefined) continue;
          expect(bands.exact).toBe(true);
          const told = (possible[path] ?? []).map((value) => {
            const band = bands.list.find(
              ({ from, to }) => Number(from) <= Number(value) && Number(value) <= Number(to),
            );
            return { status: band?.status, rule: band?.matchedRule };
          });
          const real = (possible[path] ?? []).map((value) => {
            const { status, rule } = answerOf(decision, changed(input, path, value));
            return { status, rule };
          });
          expect(told).toEqual(real);
        }
      }),
    );
  });
});

describe("the budget", () => {
  it("is kept, and counted as the rules count", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 1000 }), (budget, limit) => {
        let calls = 0;
        const counting = defineDecision({
          id: "counting",
          version: "1",
          inputSchema: z.object({ a: z.int().min(0).max(1000), b: z.int(), c: z.boolean() }),
          outputSchema: z.boolean(),
          profileSchema: z.object({}),
          rules: [
            {
              id: "r",
              when: ({ a, b, c }) => {
                calls += 1;
                return a + b > limit || c;
              },
              emit: () => true,
            },
          ],
        });
        const { evaluations } = explain(counting, { a: 5, b: 7, c: false }, budget);
        expect(evaluations).toBe(calls);
        expect(calls).toBeLessThanOrEqual(budget);
      }),
    );
  });

  it("suffices for a threshold among a billion values, which it finds to the step", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.constantFrom(500, 4000),
        (limit, amount, budget) => {
          const wide = defineDecision({
            id: "wide",
            version: "1",
            inputSchema: z.object({ amount: z.int().min(0).max(1e9) }),
            outputSchema: z.boolean(),
            profileSchema: z.object({}),
            rules: [{ id: "above", when: (input) => input.amount > limit, emit: () => true }],
          });
          const [field] = explain(wide, { amount }, budget).fields;
          if (limit === 1e9) expect(field).toBeUndefined();
          else
            expect(field?.flips).toMatchObject([
              { to: amount > limit ? limit : limit + 1, changesRule: true },
            ]);
        },
      ),
    );
  });
});
