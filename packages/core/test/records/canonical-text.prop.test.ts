import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { program } from "../../src/decision/decision.js";
import { defineDecision, evaluate } from "../../src/index.js";
import { canonicalForm } from "../../src/tools.js";

const wellFormed = fc.string({ unit: "grapheme", maxLength: 20 });

/** What a rule may emit: JSON, and what only `JSON.stringify` makes JSON of. */
const values = fc.oneof(
  fc.jsonValue({ stringUnit: "grapheme" }),
  fc.object({
    key: fc.oneof(wellFormed, fc.constantFrom("__proto__", "\u007f", "é", "b", "B", "10", "9")),
    values: [
      fc.constantFrom(-0, 1e21, 5e-324, Number.NaN, Number.POSITIVE_INFINITY, undefined, null, "\u2028"),
      fc.date({ noInvalidDate: true }),
      fc.double(),
      wellFormed,
      wellFormed.map((text) => ({ toJSON: (key: unknown) => ({ key, text }) })),
      fc.constantFrom(Object(1), new Map([[1, 2]]), Symbol("left out"), () => "left out"),
    ],
  }),
);

/** A decision whose rule number `match` emits `data`. */
function emitting(match: number, data: unknown, explanation: string) {
  return defineDecision({
    id: "written",
    version: "1.0.0",
    inputSchema: z.unknown(),
    outputSchema: z.unknown(),
    profileSchema: z.unknown(),
    rules: Array.from({ length: 4 }, (_, index) => ({
      id: `rule-${index}-é`,
      when: () => index === match,
      emit: () => data,
      explain: () => explanation,
    })),
  });
}

describe("the canonical text of an envelope", () => {
  test("is that of what is sent, whatever is in it", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 4 }), wellFormed, (data, match, explanation) => {
        const decision = emitting(match, data, explanation);
        let result: ReturnType<typeof evaluate>;
        try {
          result = evaluate(decision, {});
        } catch {
          // An output without a JSON form, such as `undefined`.
          return;
        }
        const sent = decision[program].stringify(result);
        expect(decision[program].canonicalText(result)).toBe(canonicalize(JSON.parse(sent)));
      }),
      { numRuns: 2000 },
    );
  });

  test("is that of envelopes that repeat, and differ a little from the one before", () => {
    const alike: readonly unknown[] = [
      { b: "x", a: 1 },
      { a: 1, b: "x" },
      { a: 1, b: "x", c: undefined },
      { a: 0 },
      { a: Number.NaN },
      { a: null },
      { a: "0" },
      {},
      ["x"],
      null,
      { a: () => "left out" },
      { a: new Date(0) },
      { a: { b: 1, a: 2 } },
      { a: "long ".repeat(1000) },
      { a: "\ud800" },
    ];
    const decision = defineDecision({
      id: "repeats",
      version: "1.0.0",
      inputSchema: z.object({ data: z.unknown(), explanation: z.string() }),
      outputSchema: z.unknown(),
      profileSchema: z.unknown(),
      rules: [
        { id: "never", when: () => false, emit: () => ({}) },
        {
          id: "all",
          when: () => true,
          emit: ({ data }) => data,
          explain: ({ explanation }) => explanation,
        },
      ],
    });
    const check = (data: unknown, explanation: string, epochMs: number): void => {
      const result = evaluate(decision, { data, explanation }, { now: new Date(epochMs) });
      const sent = JSON.parse(decision[program].stringify(result));
      const hasHalf = JSON.stringify(sent).includes("\\ud800");
      expect(decision[program].canonicalText(result)).toBe(hasHalf ? undefined : canonicalize(sent));
    };
    for (const before of alike) {
      for (const after of alike) {
        for (const [index, reason] of ["x", "long ".repeat(1000), "\ud800", "y"].entries()) {
          for (let time = 0; time < 3; time += 1) check(before, "x", 0);
          for (let time = 0; time < 3; time += 1) check(after, reason, index % 2);
        }
      }
    }
  });

  test("is that of refusals too", () => {
    const decision = defineDecision({
      id: "strict",
      version: "1",
      inputSchema: z.object({ b: z.number(), a: z.string() }),
      outputSchema: z.unknown(),
      profileSchema: z.object({ limit: z.number() }),
      rules: [{ id: "never", when: () => false, emit: () => ({}) }],
    });
    for (const [input, profile] of [
      [{}, { limit: 1 }],
      [{ a: "", b: 1 }, {}],
      [{ a: "", b: 1 }, { limit: 1 }],
    ] as const) {
      const result = evaluate(decision, input as never, profile as never);
      const sent = decision[program].stringify(result);
      expect(decision[program].canonicalText(result)).toBe(canonicalize(JSON.parse(sent)));
    }
  });

  test.each([
    ["its data", { text: "\ud800" }, ""],
    ["a name in its data", { "\udc00": 1 }, ""],
    ["its explanation", {}, "a\ud800b"],
  ])("does not exist where half a character is in %s", (_where, data, explanation) => {
    const decision = emitting(0, data, explanation);
    expect(decision[program].canonicalText(evaluate(decision, {}))).toBeUndefined();
  });
});

describe("canonicalForm", () => {
  test("is the canonical JSON of what JSON.stringify writes", () => {
    fc.assert(
      fc.property(values, (value) => {
        const written: unknown = JSON.stringify(value);
        const expected = typeof written === "string" ? canonicalize(JSON.parse(written)) : undefined;
        expect(canonicalForm(value)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [1n],
    [undefined],
    [() => 1],
    [Symbol("s")],
    ["\ud800"],
    [{ a: ["\ud800"] }],
    [{ "\ud800": 1 }],
  ])("does not exist for %s", (value) => {
    expect(canonicalForm(value)).toBeUndefined();
  });

  test("does not exist for what contains itself, nor for what throws", () => {
    const cycle: object[] = [];
    cycle.push(cycle);
    expect(canonicalForm(cycle)).toBeUndefined();
    expect(
      canonicalForm({
        get broken() {
          throw new Error("no");
        },
      }),
    ).toBeUndefined();
  });
});
