import { bodyFor, checkService } from "../http/check-service.js";
import { type Load, load, loadGenerator } from "../http/load.js";
import { RunningService } from "../http/running-service.js";
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
 * Every service over HTTP, W1 mix, in alternating rounds. Each round has processes of its own: one program differs by a few
 * percent from process to process, and keeps that for as long as the process lives.
 */
export async function httpTable(sizes: Sizes): Promise<Table> {
  const measured: readonly Measured[] = names.services.map(({ name }) => ({ name, rounds: [] }));
  const { services } = names;
  for (let turn = 0; turn < sizes.http.rounds * services.length; turn += 1) {
    // The order moves on by one from round to round.
    const at = (turn + Math.floor(turn / services.length)) % services.length;
    const [service, results] = [services[at], measured[at]];
    if (service !== undefined && results !== undefined) results.rounds.push(await oneRound(service, sizes));
  }
  return table(measured, sizes);
}

async function oneRound(service: names.Service, sizes: Sizes): Promise<Round> {
  const { connections, roundSeconds, warmUpSeconds } = sizes.http;
  const rings = loanRings(sizes.ring);
  const mix = rings.find(({ name }) => name === "mix")?.samples ?? [];
  const bodies = mix.map(({ input }) => bodyFor(service, input));
  const running = await RunningService.start(service);
  try {
    for (const { samples } of rings) await checkService(running, samples);
    await load(running.url, bodies, connections, warmUpSeconds);
    const before = await running.cpuMicroseconds();
    const result = await load(running.url, bodies, connections, roundSeconds);
    return { ...result, cpu: ((await running.cpuMicroseconds()) - before) / result.requests };
  } finally {
    running.stop();
  }
}

function table(measured: readonly Measured[], sizes: Sizes): Table {
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
    targets: targets(measured),
  };
}

function targets(measured: readonly Measured[]): readonly Target[] {
  const speed = (name: string, against: string): number => ratio(measured, name, against, "perSecond");
  return [
    atLeast("server against bare Fastify", 1.3, speed(names.decernServer, names.fastifyPlain), "×"),
    atLeast(
      "server, metrics on against off",
      0.97,
      speed(names.decernServerMetrics, names.decernServer),
      "×",
    ),
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
