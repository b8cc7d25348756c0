import { expect } from "vitest";

/** Costs below this are noise and are taken for this much, in microseconds. */
const floor = 200;

/** The least processor time that this process took for some work, of several runs, in microseconds. */
async function leastCost(work: () => unknown, runs: number): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

/**
 * Expects that work on 32 times as much costs less than 256 times as much. What grows in step costs 32 times as much, and what
 * grows with the square 1,024 times: there is ample room to both sides, whatever the machine and whatever else it does.
 *
 * @param workOn - prepares the work on a size; only the function that it returns is measured
 */
export async function expectCostInStep(
  workOn: (size: number) => () => unknown,
  largest: number,
): Promise<void> {
  const small = workOn(Math.round(largest / 32));
  const large = workOn(largest);
  // The small one goes first: what only the first runs cost is no growth.
  const least = Math.max(await leastCost(small, 6), floor);
  const most = await leastCost(large, 3);
  expect(most / least, `${most} µs against ${least} µs of processor time`).toBeLessThan(256);
}
