import { expect } from "vitest";

/** Runs of which the cheapest counts: the others paid for something else. */
const runs = 3;

/** Processor time that is never held against some work, in milliseconds: other threads compile and collect garbage. */
const noise = 100;

/** The least processor time that this process took for some work, in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
  }
  return Math.min(...costs);
}

/**
 * Expects the cost of some work to grow in step with its size, by comparing the processor time at two sizes. If the larger
 * size is 8 times the smaller one, such work costs 8 times as much, and work that grows with the square costs 64 times as
 * much. The limit lies between the two, at 32 times, and has the same place for other sizes. It depends neither on the speed of
 * the machine nor on what else runs there.
 *
 * @param workOn - prepares the work on a size; only the function that it returns is measured
 * @param name - what to call the work in the message
 */
export async function expectCostInStep(
  workOn: (size: number) => () => unknown,
  [smaller, larger]: readonly [smaller: number, larger: number],
  name = "work",
): Promise<void> {
  const [small, large] = [workOn(smaller), workOn(larger)];
  // What only the first run costs is not growth.
  await small();
  const least = await costOf(small);
  const most = await costOf(large);
  const limit = (larger / smaller) ** (5 / 3) * least + noise;
  const costs = `${least} ms for size ${smaller}, ${most} ms for size ${larger}`;
  expect(most, `${name}: ${costs} of processor time`).toBeLessThanOrEqual(limit);
}
