/** Runs of which the shortest counts: the others waited for something else. */
const runs = 3;

/** The processor time of some work, in milliseconds. */
function costOf(work: () => void): number {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/**
 * Compares the processor time of the same work at two sizes, one eight times the other. Work that grows with the size
 * takes 8 times as long, and 32 times is allowed, with something added for what does not depend on the size; work that
 * grows with its square takes 64 times as long. No limit depends on how fast the machine is.
 *
 * @param prepare - makes the work of a size; its own time does not count
 * @returns a sentence when the work grows faster than its size
 */
export function growsTooFast(size: number, prepare: (size: number) => () => void): string | undefined {
  const [small, large] = [prepare(size), prepare(8 * size)];
  small();
  const smallCost = costOf(small);
  const largeCost = costOf(large);
  if (largeCost <= 32 * smallCost + 100) return undefined;
  return `size ${size}: ${smallCost} ms, size ${8 * size}: ${largeCost} ms`;
}
