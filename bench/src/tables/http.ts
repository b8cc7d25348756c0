import { bodyFor, checkService } from "../http/check-service.js";
import { type Load, load, loadGenerator } from "../http/load.js";
import { ServiceProcess } from "../http/service-process.js";
import * as names from "../http/services.js";
import { median, spread } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { loanRings } from "../workload/loan-rings.js";
import { atLeast, atMost, round, type Table, type Target } from "./table.js";

interface Round extends Load {
  /** Processor time of the server, microseconds a request: what a busy machine changes least. */
  readonly cpu: number;
}

interface Measured {
  readonly name: string;
  readonly rounds: Round[];
}

/**
 * Every service over HTTP, W1 mix, in alternating rounds. Each round has processes of its own: one program differs by
 * several percent from process to process, and keeps that for as long as the process lives.
 */
export async function httpTable(sizes: Sizes): Promise<Table> {
  const measured: readonly Measured[] = names.services.map(({ name }) => ({ name, rounds: [] }));
  const { services } = names;
  for (let turn = 0; turn < sizes.http.rounds * services.length; turn += 1) {
    // The order moves on by one from round to round.
    const at = (turn + Math.floor(turn / services.length)) % services.length;
    const [service, results] = [services[at], measured[at]];
    if (service === undefined || results === undefined) continue;
    await inOneProcess([service], sizes, async (load) => void results.rounds.push(await load(0)));
  }
  return table(measured, await metricsRatio(sizes), sizes);
}

/**
 * Requests a second with metrics over those without. What metrics cost is less than what one process differs from the
 * next, so both servers are in one, and take turns.
 */
async function metricsRatio(sizes: Sizes): Promise<number> {
  const { pairedProcesses, pairs } = sizes.http;
  const both = [names.decernServer, names.decernServerMetrics].flatMap((name) =>
    names.services.filter((service) => service.name === name),
  );
  const ratios: number[] = [];
  for (let count = 0; count < pairedProcesses; count += 1) {
    await inOneProcess(both, sizes, async (load) => {
      for (let pair = 0; pair < pairs; pair += 1) {
        const metricsFirst = pair % 2 === 1;
        const first = await load(metricsFirst ? 1 : 0);
        const second = await load(metricsFirst ? 0 : 1);
        const ratio = second.perSecond / first.perSecond;
        ratios.push(metricsFirst ? 1 / ratio : ratio);
      }
    });
  }
  return median(ratios);
}

/** Starts services in one process, checks and warms up each, and lets `work` put them under load by their index. */
async function inOneProcess(
  services: readonly names.Service[],
  sizes: Sizes,
  work: (load: (index: number) => Promise<Round>) => Promise<void>,
): Promise<void> {
  const { connections, roundSeconds, warmUpSeconds } = sizes.http;
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
      await put(index, warmUpSeconds);
    }
    await work((index) => put(index, roundSeconds));
  } finally {
    process.stop();
  }
}

function table(measured: readonly Measured[], metrics: number, sizes: Sizes): Table {
  return {
    title: "Over HTTP, W1 mix",
    note: `Requests a second: median of alternating rounds, each with processes of its own, one on one core, ${loadGenerator} on the other, ${sizes.http.connections} connections; ± half the distance of the quartiles; × against the first row, of the same round; p99 in milliseconds, median of the rounds; CPU: the server's processor time, microseconds a request.`,
    columns: ["", "requests/s", "±", "×", "p99", "CPU", "CPU ×"],
    rows: measured.map(({ name, rounds }) => [
      name,
      round(median(rounds.map(({ perSecond }) => perSecond))),
      `${round(spread(rounds.map(({ perSecond }) => perSecond)) * 100)} %`,
      round(ratio(measured, name, names.fastifyPlain, "perSecond")),
      round(median(rounds.map(({ p99 }) => p99))),
      round(median(rounds.map(({ cpu }) => cpu))),
      round(ratio(measured, name, names.fastifyPlain, "cpu")),
    ]),
    targets: targets(measured, metrics),
  };
}

function targets(measured: readonly Measured[], metrics: number): readonly Target[] {
  const speed = (name: string, against: string): number => ratio(measured, name, against, "perSecond");
  return [
    atLeast("server against bare Fastify", 1.3, speed(names.decernServer, names.fastifyPlain), "×"),
    atLeast("server, metrics on against off, in one process", 0.97, metrics, "×"),
    atMost(
      "server's p99 against bare Fastify's",
      1,
      ratio(measured, names.decernServer, names.fastifyPlain, "p99"),
      "×",
    ),
    atLeast("Fastify plugin against route by hand", 1.3, speed(names.decernFastify, names.fastifyRoute), "×"),
    atLeast("Express router against route by hand", 1, speed(names.decernExpress, names.expressRoute), "×"),
  ];
}

/** Median over the rounds of what one did in parts of what another did in the same round. */
function ratio(
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
