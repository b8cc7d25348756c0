import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalForm, equalsJson } from "../src/base/canonical-json.js";

const runs = { numRuns: 500, seed: 14 };

describe("equalsJson", () => {
  test("says of JSON what its canonical texts say", () => {
    const values = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
    // Few values, so that equal ones turn up.
    const small = fc.oneof(
      values,
      fc.constantFrom<unknown>(null, 0, -0, "", [], {}, { a: 1, b: 2 }, { b: 2, a: 1 }),
    );
    fc.assert(
      fc.property(small, small, (one, other) => {
        expect(equalsJson(one, other) ?? canonicalForm(one) === canonicalForm(other)).toBe(
          canonicalForm(one) === canonicalForm(other),
        );
        expect(equalsJson(one, JSON.parse(JSON.stringify(one))) ?? true).toBe(true);
      }),
      runs,
    );
  });

  test("does not know what only writing tells", () => {
    for (const value of [new Date(0), Number.NaN, new Map(), () => 1, 1n, Symbol("s"), { a: new Date(0) }])
      expect(equalsJson(value, { a: "1970-01-01T00:00:00.000Z" })).not.toBe(true);
    expect(equalsJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(equalsJson({ a: 1, b: new Date(0) }, { a: 2 })).toBe(false);
    expect(equalsJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  });

  test("goes by own members only", () => {
    expect(equalsJson({ constructor: Object }, {})).toBe(undefined);
    expect(equalsJson(JSON.parse('{"__proto__":{}}'), {})).toBe(false);
    expect(equalsJson({}, JSON.parse('{"__proto__":{}}'))).toBe(false);
    const isKnown = (one: unknown, other: unknown): boolean | undefined => {
      Object.defineProperty(Object.prototype, "a", { value: "1", enumerable: true, configurable: true });
      try {
        return equalsJson(one, other);
      } finally {
        Reflect.deleteProperty(Object.prototype, "a");
      }
    };
    expect(isKnown({ a: "1" }, { b: 1 })).not.toBe(true);
    expect(isKnown({ b: 1 }, { b: 1 })).not.toBe(false);
  });
});
