import { afterEach, expect, it, vi } from "vitest";
import { Turns } from "../src/http/batch.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** How often the clock is read by what goes on as long as it may, and how often that is. */
async function oneTurn(
  evaluationMs: number,
): Promise<{ readonly reads: number; readonly evaluations: number }> {
  let nowMs = 1000;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const goesOn = await new Turns().next();
  clock.mockClear();
  let evaluations = 0;
  do {
    evaluations += 1;
    nowMs += evaluationMs;
  } while (goesOn());
  return { reads: clock.mock.calls.length, evaluations };
}

it("a turn ends with the first slow evaluation that exceeds it", async () => {
  expect(await oneTurn(20)).toEqual({ reads: 1, evaluations: 1 });
  expect(await oneTurn(1)).toEqual({ reads: 3, evaluations: 3 });
});

it("a turn of quick evaluations reads the clock once in four, and is hardly longer for it", async () => {
  const { reads, evaluations } = await oneTurn(1 / 512);
  expect(evaluations).toBeGreaterThanOrEqual(3 * 512);
  expect(evaluations).toBeLessThanOrEqual(3 * 512 + 4);
  expect(reads).toBeLessThanOrEqual(evaluations / 4 + 1);
});
