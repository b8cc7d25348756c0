import { expect, it } from "vitest";
import { expectCostInStep } from "./suites/growth.js";

/** Work with a result, so the compiler cannot remove it. */
function steps(count: number): number {
  let sum = 0;
  for (let step = 0; step < count; step += 1) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

it("takes work that grows in step with its size", async () => {
  await expectCostInStep((size) => () => steps(size * 200), [10_000, 320_000]);
});

it("refuses work that grows with the square of its size", async () => {
  await expect(expectCostInStep((size) => () => steps(size * size), [500, 16_000])).rejects.toThrow(
    "to be less than",
  );
});
