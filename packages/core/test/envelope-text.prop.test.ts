import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { program } from "../src/decision/decision.js";
import { defineDecision, evaluate } from "../src/index.js";

/** Values that `JSON.stringify` treats specially, and ordinary ones. */
const oddities = fc.oneof(
  fc.constantFrom(
    -0,
    0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    5e-324,
    1e21,
    0.1 + 0.2,
  ),
  fc.constantFrom(
    undefined,
    null,
    "",
    "\u2028\u2029",
    "\ud800",
    "a\udc00b",
    '"\\\b\f\n\r\t\u0000\u007f',
    "é😀",
  ),
  fc.constantFrom(Symbol("left out"), () => "left out"),
  fc.date({ noInvalidDate: true }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.integer({ min: 1, max: 3 }).map((times) => "long \u00fc ".repeat(times * 20_000)),
  fc.constantFrom(
    Object("boxed"),
    Object(1),
    Object(false),
    /left empty/,
    new Map([[1, 2]]),
    new Uint8Array(2),
  ),
  fc.json().map((text) => ({ toJSON: (key: unknown) => ({ key, text }) })),
  fc.constant({ toJSON: () => undefined }),
  fc.constant({ toJSON: "no function" }),
);

const keys = fc.oneof(
  fc.constantFrom("__proto__", "toJSON", "constructor", "0", "10", "", "status", "\ud800", 'quo"te'),
  fc.string({ unit: "binary", maxLength: 8 }),
);

/** Own keys, `__proto__` included. */
function objectOf(entries: readonly (readonly [string, unknown])[], proto: object | null): object {
  const object: object = Object.create(proto);
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, oddities, fc.jsonValue(), tie("object"), tie("list")),
  list: fc.array(tie("value"), { maxLength: 5 }),
  object: fc
    .tuple(
      fc.array(fc.tuple(keys, tie("value")), { maxLength: 6 }),
      fc.constantFrom(Object.prototype, null, { inherited: "left out" }, { toJSON: () => "inherited" }),
    )
    .map(([entries, proto]) => objectOf(entries, proto)),
}));

const ids = fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== "");

/** One rule, which always matches. */
function decisionOf(emit: (input: { data?: unknown }) => unknown) {
  return defineDecision({
    id: "any",
    version: "1",
    inputSchema: z.object({ data: z.unknown(), explanation: z.string() }),
    outputSchema: z.unknown(),
    profileSchema: z.unknown(),
    rules: [{ id: "all", when: () => true, emit, explain: ({ explanation }) => explanation }],
  });
}

/** Objects that are easily taken for one another. */
const alike: readonly unknown[] = [
  { a: 1, b: "x" },
  { a: 1, b: "x", c: undefined },
  { b: "x", a: 1 },
  { a: 0 },
  { a: -0 },
  { a: Number.NaN },
  { a: null },
  { a: "0" },
  {},
  [],
  null,
  { 0: "x" },
  ["x"],
  objectOf([["a", 0]], null),
  objectOf([["b", "x"]], { a: 1 }),
  objectOf([["__proto__", "x"]], Object.prototype),
  objectOf([["__proto__", "y"]], Object.prototype),
  { a: Symbol("left out") },
  { a: () => "left out" },
  { a: new Date(0) },
  { a: "long ".repeat(1000) },
];

describe("the text of an envelope equals JSON.stringify", () => {
  test("for envelopes that repeat, and differ a little from the one before", () => {
    const decision = decisionOf((input) => input.data);
    const check = (data: unknown, explanation: string, epochMs: number): void => {
      const result = evaluate(decision, { data, explanation }, { now: new Date(epochMs) });
      expect(decision[program].stringify(result)).toBe(JSON.stringify(result));
    };
    const reasons = ["x", "long ".repeat(1000), "y"];
    for (const before of alike) {
      for (const after of alike) {
        for (const [index, reason] of reasons.entries()) {
          for (let time = 0; time < 3; time += 1) check(before, "x", 0);
          for (let time = 0; time < 3; time += 1) check(after, reason, index % 2);
        }
      }
    }
  });

  test("for envelopes that repeat after many that did not", () => {
    const repeating = fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 200 }), values);
    fc.assert(
      fc.property(fc.array(repeating, { maxLength: 4 }), (runs) => {
        const decision = decisionOf((input) => input.data);
        const check = (data: unknown): void => {
          const result = evaluate(decision, { data, explanation: "x" });
          expect(decision[program].stringify(result)).toBe(JSON.stringify(result));
        };
        for (const [changes, times, data] of runs) {
          for (let change = 0; change < changes; change += 1) check({ change });
          if (JSON.stringify({ data }) === "{}") continue;
          for (let time = 0; time < times; time += 1) check(data);
        }
      }),
      { numRuns: 10 },
    );
  });

  test("when what is inside of an object changes", () => {
    const inside = { n: 0 };
    const decision = decisionOf(() => ({ inside }));
    for (; inside.n < 5; inside.n += 1) {
      const result = evaluate(decision, { data: 0, explanation: "x" });
      expect(decision[program].stringify(result)).toBe(JSON.stringify(result));
    }
  });

  test("when a getter returns something else", () => {
    let asked = 0;
    const valueAfter = (times: number): number => Math.floor(times / 7);
    const data = {
      get n() {
        asked += 1;
        return valueAfter(asked);
      },
    };
    const decision = decisionOf(() => data);
    for (let call = 0; call < 1000; call += 1) {
      const before = asked;
      const text = decision[program].stringify(evaluate(decision, { data: 0, explanation: "x" }));
      const { n } = JSON.parse(text).data;
      expect(n).toBeGreaterThanOrEqual(valueAfter(before + 1));
      expect(n).toBeLessThanOrEqual(valueAfter(asked));
    }
  });

  test("for any data, ids and explanation", () => {
    fc.assert(
      fc.property(
        values,
        fc.uniqueArray(ids, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.string({ unit: "binary" }),
        ids,
        (data, ruleIds, pick, explanation, version) => {
          const matching = pick % (ruleIds.length + 1);
          const decision = defineDecision({
            id: "any",
            version,
            inputSchema: z.unknown(),
            outputSchema: z.unknown(),
            profileSchema: z.unknown(),
            rules: ruleIds.map((id, index) => ({
              id,
              when: () => index === matching,
              emit: () => data,
              explain: () => explanation,
            })),
          });
          const matches = matching < ruleIds.length;
          if (matches && JSON.stringify({ data }) === "{}") {
            expect(() => decision[program].stringify(evaluate(decision, {}))).toThrow();
            return;
          }
          const result = evaluate(decision, {});
          expect(result.status).toBe(matches ? "OK" : "NO_MATCH");
          expect(decision[program].stringify(result)).toBe(JSON.stringify(result));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("for a refused input", () => {
    const decision = defineDecision({
      id: "strict",
      version: "1",
      inputSchema: z.strictObject({ n: z.number() }),
      outputSchema: z.unknown(),
      profileSchema: z.unknown(),
      rules: [{ id: "all", when: () => true, emit: () => 1 }],
    });
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (input) => {
        const result = evaluate(decision, input as unknown);
        expect(decision[program].stringify(result)).toBe(JSON.stringify(result));
      }),
    );
  });

  test.each([
    ["a BigInt", { n: 1n }],
    [
      "a circle",
      (() => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      })(),
    ],
    [
      "a toJSON that throws",
      {
        toJSON: () => {
          throw new Error("no");
        },
      },
    ],
  ])("fails as JSON.stringify does on %s", (_name, data) => {
    const decision = defineDecision({
      id: "impossible",
      version: "1",
      inputSchema: z.unknown(),
      outputSchema: z.unknown(),
      profileSchema: z.unknown(),
      rules: [{ id: "all", when: () => true, emit: () => data }],
    });
    const result = evaluate(decision, {});
    expect(() => JSON.stringify(result)).toThrow();
    expect(() => decision[program].stringify(result)).toThrow();
  });
});
