import { loadGenerator } from "../http/load.js";
import * as names from "../http/services.js";
import { inOneProcess, inTurns, type Measured, ratio } from "../http/under-load.js";
import { median, spread } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { atLeast, atMost, round, type Table, type Target } from "./table.js";

/** Every service over HTTP, W1 mix. */
export async function httpTable(sizes: Sizes): Promise<Table> {
  const { rounds, roundSeconds } = sizes.http;
  const measured = await inTurns(names.services, rounds, roundSeconds, sizes);
  const { decernServer, decernServerMetrics, decernServerLog } = names;
  const metrics = await pairedRatio(decernServerMetrics, decernServer, sizes);
  const log = await pairedRatio(decernServerLog, decernServer, sizes);
  return table(measured, { metrics, log }, sizes);
}

/** Requests a second over those of the plain server, by what is on. */
interface Paired {
  readonly metrics: number;
  readonly log: number;
}

/**
 * Requests a second of one service over those of another. What metrics or a log cost is less than what one process
 * differs from the next, so both servers are in one, and take turns.
 */
async function pairedRatio(name: string, against: string, sizes: Sizes): Promise<number> {
  const { pairedProcesses, pairs, roundSeconds } = sizes.http;
  const both = [against, name].flatMap((wanted) =>
    names.services.filter((service) => service.name === wanted),
  );
  const ratios: number[] = [];
  for (let count = 0; count < pairedProcesses; count += 1) {
    await inOneProcess(both, sizes, async (load) => {
      for (let pair = 0; pair < pairs; pair += 1) {
        const isReversed = pair % 2 === 1;
        const first = await load(isReversed ? 1 : 0, roundSeconds);
        const second = await load(isReversed ? 0 : 1, roundSeconds);
        const ratio = second.perSecond / first.perSecond;
        ratios.push(isReversed ? 1 / ratio : ratio);
      }
    });
  }
  return median(ratios);
}

function table(measured: readonly Measured[], paired: Paired, sizes: Sizes): Table {
  const { fastifyText, fastifyTextTogether } = names;
  return {
    title: "Over HTTP, W1 mix",
    note: `CPU: the server's, µs per request; ×: against bare Fastify that sends prepared text, each reply at once or all of one event-loop turn together. A process per round on one core, ${loadGenerator} on the other, ${sizes.http.connections} connections.`,
    columns: ["", "CPU", "±", "× at once", "× together", "requests/s"],
    rows: measured.map(({ name, rounds }) => [
      name,
      round(median(rounds.map(({ cpu }) => cpu))),
      `${round(spread(rounds.map(({ cpu }) => cpu)) * 100)} %`,
      round(ratio(measured, name, fastifyText, "cpu")),
      round(ratio(measured, name, fastifyTextTogether, "cpu")),
      round(median(rounds.map(({ perSecond }) => perSecond))),
    ]),
    targets: targets(measured, paired),
  };
}

function targets(measured: readonly Measured[], { metrics, log }: Paired): readonly Target[] {
  const cpu = (name: string, against: string): number => ratio(measured, name, against, "cpu");
  const rate = (name: string, against: string): number => ratio(measured, name, against, "perSecond");
  const { decernServer, decernFastify, decernExpress, fastifyText, fastifyTextTogether, fastifyPlain } =
    names;
  return [
    atMost("CPU: server against prepared text, at once", 1.12, cpu(decernServer, fastifyText), "×"),
    atMost("CPU: Fastify plugin against prepared text, at once", 1.12, cpu(decernFastify, fastifyText), "×"),
    atMost("CPU: Express router against bare Express", 0.9, cpu(decernExpress, names.expressPlain), "×"),
    atMost("CPU: server against prepared text, together", 1.1, cpu(decernServer, fastifyTextTogether), "×"),
    atLeast("rate: server against bare Fastify, plain handler", 1.3, rate(decernServer, fastifyPlain), "×"),
    atLeast("rate: server, metrics on against off, in one process", 0.97, metrics, "×"),
    atLeast("rate: server, log on against off, in one process", 0.85, log, "×"),
    atLeast("rate: Fastify plugin against route by hand", 1.3, rate(decernFastify, names.fastifyRoute), "×"),
    atLeast("rate: Express router against route by hand", 1, rate(decernExpress, names.expressRoute), "×"),
  ];
}
