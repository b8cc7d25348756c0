import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColumnType, Condition, Scalar } from "../../src/cells/condition.js";
import { meetsOf } from "../../src/engine/meets.js";
import {
  complement,
  hasValue,
  intersection,
  isEmpty,
  isMetByForeign,
  unbound,
  unionOf,
  valueSetOf,
} from "../../src/engine/value-set.js";
import { any, column, is, not, reference, when } from "../support.js";
import { conditions, points } from "./arbitraries.js";

const profile = { limit: 2, word: "b", flag: true };

/** Every set is judged by these: all ends of intervals are among them, and something between any two. */
function brute(type: ColumnType, holds: (value: Scalar | null) => boolean): readonly (Scalar | null)[] {
  return points(type).filter(holds);
}

describe.each(["number", "text", "boolean"] as const)("value sets of a %s column", (type) => {
  const own = column("x", { type, isNullable: true });
  const setOf = (condition: Condition) => {
    const set = valueSetOf(condition, own, profile);
    if (set === undefined) throw new Error("Not a set");
    return set;
  };
  const met = (condition: Condition, value: Scalar | null) => meetsOf(condition, own)(value, {}, profile);

  it("have the values that meet the condition", () => {
    fc.assert(
      fc.property(conditions(type), (condition) => {
        const set = setOf(condition);
        expect(brute(type, (value) => hasValue(set, value))).toEqual(
          brute(type, (value) => met(condition, value)),
        );
        expect(isMetByForeign(condition)).toBe(meetsOf(condition, own)(undefined, {}, profile));
      }),
      { numRuns: 2000 },
    );
  });

  it("are united, intersected and complemented as their points are", () => {
    fc.assert(
      fc.property(conditions(type), conditions(type), (one, other) => {
        const sets = [setOf(one), setOf(other)] as const;
        const both = (value: Scalar | null) => met(one, value) && met(other, value);
        expect(brute(type, (value) => hasValue(unionOf(sets), value))).toEqual(
          brute(type, (value) => met(one, value) || met(other, value)),
        );
        expect(brute(type, (value) => hasValue(intersection(...sets), value))).toEqual(brute(type, both));
        expect(brute(type, (value) => hasValue(complement(sets[0]), value))).toEqual(
          brute(type, (value) => !met(one, value)),
        );
        expect(isEmpty(intersection(sets[0], complement(sets[0])))).toBe(true);
        if (type === "number") expect(isEmpty(intersection(...sets))).toBe(brute(type, both).length === 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("valueSetOf", () => {
  const own = column("x");

  it("has nothing for tests with a reference to what the profile lacks, or has with a different type", () => {
    for (const path of ["none", "word", "limit.deeper", "toString"]) {
      const condition = when(is("<", reference("profile", path)), is("!=", reference("profile", path)));
      expect(valueSetOf(condition, own, profile)).toEqual({
        kind: "intervals",
        intervals: [],
        hasNull: false,
      });
    }
  });

  it("isn't a set where the input or an unknown profile decides, or texts are compared by order", () => {
    expect(valueSetOf(when(is("<", reference("input", "y"))), own, profile)).toBeUndefined();
    expect(valueSetOf(when(is("<", reference("profile", "limit"))), own, unbound)).toBeUndefined();
    expect(valueSetOf(when(is("<", "m")), column("x", { type: "text" }), profile)).toBeUndefined();
    expect(valueSetOf(any, own, unbound)).toEqual({
      kind: "intervals",
      intervals: [{ low: -Infinity, isLowClosed: false, high: Infinity, isHighClosed: false }],
      hasNull: true,
    });
    expect(valueSetOf(not(is("=", 1)), own, unbound)).toMatchObject({ hasNull: true });
  });
});
