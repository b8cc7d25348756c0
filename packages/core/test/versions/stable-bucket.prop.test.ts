import fc from "fast-check";
import murmurhash from "murmurhash";
import { describe, expect, it } from "vitest";
import { stableBucket } from "../../src/index.js";

const keys = Array.from({ length: 10_000 }, (_, index) => `customer-${index}`);

/** Keys below a limit. */
function below(limit: number, salt: string): ReadonlySet<string> {
  return new Set(keys.filter((key) => stableBucket(key, salt) < limit));
}

describe("stableBucket", () => {
  it("is MurmurHash3 of the salt's length, the salt and the key, as an independent implementation computes it", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (key, salt) => {
        const hash = murmurhash.v3(`${salt.length}:${salt}${key}`);
        expect(stableBucket(key, salt)).toBe(hash / 2 ** 32);
      }),
      { numRuns: 1000 },
    );
  });

  it("removes nobody when a roll-out widens", () => {
    const limits = [0, 0.01, 0.1, 0.2, 0.5, 0.99, 1];
    const groups = limits.map((limit) => below(limit, "roll-out"));
    for (const [index, wider] of groups.slice(1).entries()) {
      const narrower = groups[index] ?? new Set();
      expect([...narrower].filter((key) => !wider.has(key))).toEqual([]);
    }
    expect({ first: groups[0]?.size, last: groups.at(-1)?.size }).toEqual({ first: 0, last: keys.length });
  });

  it.each([0.1, 0.25, 0.5, 0.9])(
    "gives %d of the keys to a roll-out of that share, with any salt",
    (limit) => {
      for (const salt of ["", "roll-out", "loan-approval-2"])
        expect(Math.abs(below(limit, salt).size / keys.length - limit), salt).toBeLessThan(0.01);
    },
  );

  it("gives keys places with one salt that tell nothing about those with another", () => {
    const [first, second] = [below(0.5, "a"), below(0.5, "b")];
    const both = [...first].filter((key) => second.has(key)).length;
    expect(Math.abs(both / keys.length - 0.25)).toBeLessThan(0.02);
  });

  it("tells salt and key apart", () => {
    expect(stableBucket("bc", "a")).not.toBe(stableBucket("c", "ab"));
  });
});
