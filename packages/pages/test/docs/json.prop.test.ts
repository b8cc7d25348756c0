import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pretty, sameJson } from "../../src/json/values.js";

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)])
      .reverse(),
  );
}

describe("sameJson", () => {
  it("is true for values whose keys are in another order", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, reversed(value))).toBe(true);
      }),
    );
  });

  it("is false for values that are written differently, apart from key order", () => {
    const sorted = (value: unknown): string =>
      JSON.stringify(value, (_key, item: unknown) =>
        typeof item === "object" && item !== null && !Array.isArray(item)
          ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
          : item,
      );
    // Few keys and values, so pairs are often equal or nearly equal.
    const leaf = fc.constantFrom(null, 0, "0", false, "");
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b", "toString"), tie("value"), { maxKeys: 2 }),
      ),
    }));
    fc.assert(
      fc.property(value, value, (left, right) => {
        expect(sameJson(left, right)).toBe(sorted(left) === sorted(right));
      }),
      { numRuns: 2000 },
    );
  });

  it("treats an undefined property as absent", () => {
    expect(sameJson({ input: 1, profile: undefined }, { input: 1 })).toBe(true);
    expect(sameJson({ a: undefined }, { b: null })).toBe(false);
  });
});

describe("JSON for people", () => {
  it("is the same JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(pretty(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("has no character that changes the direction of text", () => {
    const turning = fc.stringMatching(/^[a\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,5}$/);
    fc.assert(
      fc.property(turning, turning, (key, text) => {
        const shown = pretty({ [key]: text });
        expect(shown).not.toMatch(/\p{Bidi_Control}/u);
        expect(JSON.parse(shown)).toEqual({ [key]: text });
      }),
    );
  });
});
