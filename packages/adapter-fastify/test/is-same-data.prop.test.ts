import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameData } from "../src/prepared-text.js";

/** Few values and keys, so that two are often alike: with holes, dates, maps, `undefined` and negative zero among them. */
const value = fc.anything({
  values: [fc.constantFrom<unknown>(0, -0, null, undefined, Number.NaN, "")],
  key: fc.constantFrom("a", "b", "toJSON", "__proto__"),
  maxDepth: 2,
  maxKeys: 2,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
});

it("considers a copy of JSON data the same", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(isSameData(JSON.parse(text), JSON.parse(text))).toBe(true);
    }),
  );
});

it("never considers data the same whose JSON differs", () => {
  let same = 0;
  fc.assert(
    fc.property(value, value, (one, other) => {
      if (!isSameData(one, other)) return;
      same += 1;
      expect(JSON.parse(JSON.stringify([one]))).toEqual(JSON.parse(JSON.stringify([other])));
    }),
    { numRuns: 2000 },
  );
  expect(same).toBeGreaterThan(0);
});
