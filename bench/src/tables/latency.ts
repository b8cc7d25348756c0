import { loadGenerator } from "../http/load.js";
import * as names from "../http/services.js";
import { inTurns, ratio } from "../http/under-load.js";
import { median } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { atMost, round, type Table } from "./table.js";

/**
 * How long replies take, in rounds long enough that connecting does not count. Node accepts one connection at each turn
 * of the event loop, so up to the first quarter of a second is spent with that, and `wrk` weighs it by the requests that
 * could have been sent meanwhile: in six seconds it can be more than one percent, and the p99 is its length.
 */
export async function latencyTable(sizes: Sizes): Promise<Table> {
  const { connections, latencyRounds, latencySeconds } = sizes.http;
  const { fastifyPlain, fastifyText, decernServer, decernServerMetrics, decernFastify } = names;
  const wanted = [
    fastifyPlain,
    fastifyText,
    names.fastifyTextTogether,
    names.nodeHttp,
    decernServer,
    decernServerMetrics,
    decernFastify,
  ];
  const chosen = names.services.filter(({ name }) => wanted.includes(name));
  const measured = await inTurns(chosen, latencyRounds, latencySeconds, sizes);
  return {
    title: "Latency over HTTP, W1 mix",
    note: `ms. ${latencyRounds} rounds of ${latencySeconds} s; ${loadGenerator}, ${connections} connections.`,
    columns: ["", "p50", "p99", "p99 ×"],
    rows: measured.map(({ name, rounds }) => [
      name,
      round(median(rounds.map(({ p50 }) => p50))),
      round(median(rounds.map(({ p99 }) => p99))),
      round(ratio(measured, name, fastifyPlain, "p99")),
    ]),
    targets: [
      atMost(
        "server's p99 against bare Fastify's",
        1,
        ratio(measured, decernServer, fastifyPlain, "p99"),
        "×",
      ),
      ...[decernServerMetrics, decernFastify].map((name) =>
        atMost(`p99 against prepared text: ${name}`, 1.5, ratio(measured, name, fastifyText, "p99"), "×"),
      ),
    ],
  };
}
