import fc from "fast-check";
import { expect, test } from "vitest";
import { QuantileSketch } from "../src/gather/number-shifts.js";

test("every quantile is within 1 % of the exact one", () => {
  const value = fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: -5000, max: -1 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(value, fc.integer({ min: 1, max: 4 })), { minLength: 1 }), (added) => {
      const sketch = new QuantileSketch();
      for (const [one, weight] of added) sketch.add(one, weight);
      const all = added.flatMap(([one, weight]) => Array.from({ length: weight }, () => one));
      all.sort((a, b) => a - b);
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const exact = all[Math.ceil(share * all.length) - 1] ?? Number.NaN;
        expect(Math.abs(sketch.quantile(share) - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.010_001);
      }
      expect({ min: sketch.min, max: sketch.max }).toEqual({ min: all[0], max: all.at(-1) });
    }),
    { seed: 14 },
  );
});
