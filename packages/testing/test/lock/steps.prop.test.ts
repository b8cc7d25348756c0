import { defineDecision } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { versionsOf } from "../../src/lock/module-versions.js";
import { findSteps } from "../../src/lock/steps.js";

const now = "2026-01-01T00:00:00.000Z";
const budget = 100_000;

/** Scores a number by the bands that it lies in; one rule decides everything. */
function scored(bands: readonly number[], valueSchema: z.ZodNumber, score: (value: number) => number) {
  const decision = defineDecision({
    id: "scored",
    version: "1.0.0",
    inputSchema: z.object({ list: z.array(z.object({ value: valueSchema })) }),
    outputSchema: z.object({ score: z.number() }),
    profileSchema: z.object({}),
    rules: [
      {
        id: "all",
        when: () => true,
        emit: ({ list }) => ({ score: score(list[0]?.value ?? 0) }),
        explain: ({ list }) => `Of ${list[0]?.value} and ${bands.length} bands`,
      },
    ],
  });
  const [subject] = versionsOf({ decisions: [decision] });
  if (subject === undefined) throw new Error("no decision");
  return (start: number) =>
    findSteps(subject, [{ list: [{ value: start }] }], now, budget).map((pair) =>
      pair.map((input) => JSON.parse(JSON.stringify(input)).list[0].value),
    );
}

const above = (bands: readonly number[]) => (value: number) => bands.filter((band) => value >= band).length;

describe("steps in what a decision returns", () => {
  it("are all found between the bounds of a whole number", () => {
    const threshold = fc.integer({ min: 1, max: 400 });
    // Two apart: where each number has an output of its own, there are no steps.
    const anyBands = fc.uniqueArray(threshold, { minLength: 1, maxLength: 12, selector: (n) => n >> 1 });
    fc.assert(
      fc.property(anyBands, fc.integer({ min: 0, max: 400 }), (list, start) => {
        const bands = list.map((band) => band - (band % 2) + 1).sort((a, b) => a - b);
        const find = scored(bands, z.int().min(0).max(402), above(bands));
        expect(find(start)).toEqual(bands.map((band) => [band - 1, band]));
      }),
      { seed: 14, numRuns: 50 },
    );
  });

  it("are found in a wide range, where numbers have two decimals", () => {
    const bands = [0.05, 100, 4_999.99, 75_000];
    const find = scored(bands, z.number().min(0).max(1_000_000).multipleOf(0.01), above(bands));
    expect(find(500)).toEqual([
      [0.04, 0.05],
      [99.99, 100],
      [4_999.98, 4_999.99],
      [74_999.99, 75_000],
    ]);
  });

  it("are found to nine decimals, or to fifteen digits", () => {
    const bands = [0.000_003, 0.375, 4_999.9875, 12_345_678.25];
    const find = scored(bands, z.number().min(0).max(100_000_000), above(bands));
    for (const [index, [low, high]] of find(500).entries()) {
      expect(high).toBe(bands[index]);
      expect(high - low).toBeGreaterThan(0);
      expect(high - low).toBeLessThanOrEqual(Math.max(1.01e-9, high * 1e-14));
    }
    expect(find(500)).toHaveLength(bands.length);
  });

  it("are none where the output follows the number", () => {
    const find = scored([], z.number().min(0).max(10_000), (value) => value * 2);
    expect(find(5_000)).toEqual([]);
  });

  it("are found without bounds", () => {
    const find = scored([10, -10], z.number(), above([10, -10]));
    expect(find(3)).toEqual([
      [-10.000_000_001, -10],
      [9.999_999_999, 10],
    ]);
  });

  it("are found between each two of a few numbers", () => {
    const find = scored([1, 2, 3], z.int().min(0).max(3), above([1, 2, 3]));
    expect(find(2)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it("are looked for at so many inputs at most, and in those that are valid", () => {
    let tried = 0;
    const count = (value: number): number => {
      tried += 1;
      return above([200])(value);
    };
    const find = scored([200], z.int().min(0).max(400), count);
    expect(find(500)).toEqual([]);
    expect(tried).toBe(0);
    expect(find(1)).toEqual([[199, 200]]);
    expect(tried).toBeLessThan(1_000);
  });
});
