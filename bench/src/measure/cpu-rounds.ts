import type { Timing } from "./rounds.js";
import { median, spread } from "./statistics.js";

/** Something whose processor time counts, wherever it is spent: also on threads that write to a disk. */
export interface CpuEntry {
  readonly name: string;
  /** Runs one round, with everything that it leaves to be done. Returns how many operations that were. */
  readonly run: () => Promise<number>;
}

/**
 * Takes the processor time of entries in alternating rounds.
 *
 * @param baseline - name of the entry that the ratios are taken against
 */
export async function measureCpu(
  entries: readonly CpuEntry[],
  baseline: string,
  rounds: number,
): Promise<readonly Timing[]> {
  const measured = entries.map((entry) => ({ entry, perRound: [] as number[] }));
  for (const { run } of entries) await run();
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < measured.length; turn += 1) {
      const next = measured[(turn + round) % measured.length];
      if (next !== undefined) next.perRound.push(await cpuNsPerRun(next.entry));
    }
  }
  const base = measured.find(({ entry }) => entry.name === baseline)?.perRound;
  if (base === undefined) throw new RangeError(`no entry ${baseline}`);
  return measured.map(({ entry, perRound }) => ({
    name: entry.name,
    ns: median(perRound),
    spread: spread(perRound),
    ratio: median(perRound.map((ns, round) => ns / (base[round] ?? Number.NaN))),
    extraNs: median(perRound.map((ns, round) => ns - (base[round] ?? Number.NaN))),
  }));
}

async function cpuNsPerRun({ run }: CpuEntry): Promise<number> {
  // What an earlier entry left behind is not collected at the expense of this one. A major collection would also throw away
  // compiled code, because none of the objects that it is for are left; under load there are always some.
  globalThis.gc?.({ type: "minor" });
  const before = process.cpuUsage();
  const count = await run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / count;
}
