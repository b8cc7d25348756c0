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

/** Every service over HTTP, W1 mix, in alternating rounds. */
export async function httpTable(sizes: Sizes): Promise<Table> {
  const { connections, rounds, roundSeconds, warmUpSeconds } = sizes.http;
  const rings = loanRings(sizes.ring);
  const mix = rings.find(({ name }) => name === "mix")?.samples ?? [];
  const running: RunningService[] = [];
  try {
    for (const service of names.services) running.push(await RunningService.start(service));
    const measured: Measured[] = [];
    for (const one of running) {
      for (const { samples } of rings) await checkService(one, samples);
      measured.push({ name: one.service.name, rounds: [] });
    }
    const put = async (one: RunningService, seconds: number): Promise<Round> => {
      const bodies = mix.map(({ input }) => bodyFor(one.service, input));
      const before = await one.cpuMicroseconds();
      const result = await load(one.url, bodies, connections, seconds);
      return { ...result, cpu: ((await one.cpuMicroseconds()) - before) / result.requests };
    };
    for (const one of running) await put(one, warmUpSeconds);
    for (let turn = 0; turn < rounds * running.length; turn += 1) {
      // The order moves on by one from round to round.
      const at = (turn + Math.floor(turn / running.length)) % running.length;
      const [one, result] = [running[at], measured[at]];
      if (one !== undefined && result !== undefined) result.rounds.push(await put(one, roundSeconds));
    }
    return table(measured, sizes);
  } finally {
    for (const one of running) one.stop();
  }
}

function table(measured: readonly Measured[], sizes: Sizes): Table {
  return {
    title: "Over HTTP, W1 mix",
    note: `Requests a second: median of alternating rounds, one process on one core, ${loadGenerator} on the other, ${sizes.http.connections} connections; ± half the distance of the quartiles; × against the first row, of the same round; p99 in milliseconds, median of the rounds; CPU: the server's processor time, microseconds a request.`,
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
