import { z } from "zod";
import type { Sizes } from "../sizes.js";
import { median, spread } from "./statistics.js";

/** Something that is timed: `run` is one operation, the index says which input of the ring. */
export interface Entry {
  readonly name: string;
  readonly run: (index: number) => unknown;
  /** Whether `run` answers a promise that has to be awaited. */
  readonly asynchronous?: boolean;
}

export const timingSchema = z
  .object({
    name: z.string(),
    /** Median over the rounds, nanoseconds an operation. */
    ns: z.number(),
    /** Half the distance of the quartiles, in parts of the median. */
    spread: z.number(),
    /** Time over the baseline's in the same round; the median over the rounds. */
    ratio: z.number(),
    /** Time minus the baseline's in the same round, nanoseconds; the median over the rounds. */
    extraNs: z.number(),
  })
  .readonly();

/** What was measured of one entry. */
export type Timing = z.infer<typeof timingSchema>;

/**
 * Puts what several processes measured of the same entries together: the medians of their medians. A program differs by
 * a few percent from process to process, with what its compiler happens to decide, and keeps that as long as it lives.
 */
export function acrossProcesses(processes: readonly (readonly Timing[])[]): readonly Timing[] {
  const [first = []] = processes;
  return first.map(({ name }) => {
    const timings = processes.map((timings) => findTiming(timings, name));
    const middle = (field: "ns" | "spread" | "ratio" | "extraNs"): number =>
      median(timings.map((timing) => timing[field]));
    return {
      name,
      ns: middle("ns"),
      spread: middle("spread"),
      ratio: middle("ratio"),
      extraNs: middle("extraNs"),
    };
  });
}

export function findTiming(timings: readonly Timing[], name: string): Timing {
  const timing = timings.find((candidate) => candidate.name === name);
  if (timing === undefined) throw new RangeError(`no timing of ${name}`);
  return timing;
}

/** What ran last is kept here, so that no compiler finds out that nobody reads it. */
export const sink: { value: unknown } = { value: undefined };

/**
 * Times entries in alternating rounds: a machine that gets slower for a while slows all of them, and the ratios hold.
 *
 * @param baseline - name of the entry that the ratios are taken against
 */
export async function measure(
  entries: readonly Entry[],
  baseline: string,
  sizes: Sizes,
): Promise<readonly Timing[]> {
  const loops: { readonly entry: Entry; readonly count: number; readonly perRound: number[] }[] = [];
  for (const entry of entries) {
    loops.push({ entry, count: await calibrate(entry, sizes), perRound: [] });
  }
  for (let round = 0; round < sizes.rounds; round += 1) {
    // Who comes first changes, so that nobody always runs after the one that leaves the most garbage.
    for (let turn = 0; turn < loops.length; turn += 1) {
      const loop = loops[(turn + round) % loops.length];
      if (loop !== undefined) loop.perRound.push(await nsPerRun(loop.entry, loop.count));
    }
  }
  const base = loops.find(({ entry }) => entry.name === baseline);
  if (base === undefined) throw new RangeError(`no entry ${baseline}`);
  return loops.map(({ entry, perRound }) => ({
    name: entry.name,
    ns: median(perRound),
    spread: spread(perRound),
    ratio: median(perRound.map((ns, round) => ns / (base.perRound[round] ?? Number.NaN))),
    extraNs: median(perRound.map((ns, round) => ns - (base.perRound[round] ?? Number.NaN))),
  }));
}

/** Warms an entry up, and says how many runs fill one round. */
async function calibrate(entry: Entry, sizes: Sizes): Promise<number> {
  const until = performance.now() + sizes.warmUpMs;
  let count = 64;
  let ns = await nsPerRun(entry, count);
  while (performance.now() < until) {
    count = Math.min(count * 2, 1 << 20);
    ns = await nsPerRun(entry, count);
  }
  return Math.max(64, Math.ceil((sizes.roundMs * 1e6) / ns));
}

async function nsPerRun(entry: Entry, count: number): Promise<number> {
  const started = performance.now();
  if (entry.asynchronous === true) {
    for (let index = 0; index < count; index += 1) sink.value = await entry.run(index);
  } else {
    for (let index = 0; index < count; index += 1) sink.value = entry.run(index);
  }
  return ((performance.now() - started) * 1e6) / count;
}
