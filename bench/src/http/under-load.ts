import { median } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { loanRings } from "../workload/loan-rings.js";
import { bodyFor, checkService } from "./check-service.js";
import { type Load, load } from "./load.js";
import { ServiceProcess } from "./service-process.js";
import type { Service } from "./services.js";

export interface Round extends Load {
  /** Processor time of the server, microseconds a request: what a busy machine changes least. */
  readonly cpu: number;
}

export interface Measured {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/**
 * Puts services under load in alternating rounds, W1 mix. Each round has processes of its own: one program differs by
 * several percent from process to process, and keeps that for as long as the process lives.
 */
export async function inTurns(
  services: readonly Service[],
  rounds: number,
  seconds: number,
  sizes: Sizes,
): Promise<readonly Measured[]> {
  const measured = services.map((service) => ({ service, name: service.name, rounds: [] as Round[] }));
  for (let turn = 0; turn < rounds * services.length; turn += 1) {
    // The order moves on by one from round to round.
    const next = measured[(turn + Math.floor(turn / services.length)) % services.length];
    if (next === undefined) continue;
    await inOneProcess([next.service], sizes, async (put) => void next.rounds.push(await put(0, seconds)));
  }
  return measured;
}

/** Starts services in one process, checks and warms up each, and lets `work` put them under load by their index. */
export async function inOneProcess(
  services: readonly Service[],
  sizes: Sizes,
  work: (put: (index: number, seconds: number) => Promise<Round>) => Promise<void>,
): Promise<void> {
  const { connections, warmUpSeconds } = sizes.http;
  const rings = loanRings(sizes.ring);
  const mix = rings.find(({ name }) => name === "mix")?.samples ?? [];
  const process = await ServiceProcess.start(...services);
  const put = async (index: number, seconds: number): Promise<Round> => {
    const running = process.services[index];
    if (running === undefined) throw new RangeError("no such service");
    const bodies = mix.map(({ input }) => bodyFor(running.service, input));
    const before = await process.cpuMicroseconds();
    const result = await load(running.url, bodies, connections, seconds);
    return { ...result, cpu: ((await process.cpuMicroseconds()) - before) / result.requests };
  };
  try {
    for (const [index, running] of process.services.entries()) {
      for (const { samples } of rings) await checkService(running, samples);
      if (warmUpSeconds > 0) await put(index, warmUpSeconds);
    }
    await work(put);
  } finally {
    await process.stop();
  }
}

/** Median over the rounds of what one did in parts of what another did in the same round. */
export function ratio(
  measured: readonly Measured[],
  name: string,
  against: string,
  field: "perSecond" | "p99" | "cpu",
): number {
  const roundsOf = (wanted: string): readonly Round[] =>
    measured.find((candidate) => candidate.name === wanted)?.rounds ?? [];
  const base = roundsOf(against);
  return median(roundsOf(name).map((one, index) => one[field] / (base[index]?.[field] ?? Number.NaN)));
}
