import { fileURLToPath } from "node:url";
import { bodyFor } from "../http/check-service.js";
import { coldStart, firstReply } from "../http/cold-start.js";
import { load } from "../http/load.js";
import { ServiceProcess } from "../http/service-process.js";
import {
  decernFastify,
  decernServer,
  decernServerMetrics,
  fastifyPlain,
  fastifyText,
  services,
} from "../http/services.js";
import { median, spread } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { loanRings } from "../workload/loan-rings.js";
import { atMost, round, type Table } from "./table.js";

const demo = fileURLToPath(new URL("../../../apps/demo/dist/main.js", import.meta.url));
const bare = fileURLToPath(new URL("../http/bare-fastify.js", import.meta.url));
const port = 39_471;

/** From spawn to the first 200: the demo and a bare Fastify with W1's plain handler, then services to their first evaluation. */
export async function coldStartTable(sizes: Sizes): Promise<Table> {
  const own: number[] = [];
  const theirs: number[] = [];
  for (let start = 0; start < sizes.http.coldStarts; start += 1) {
    theirs.push(await coldStart(bare, [String(port)], port));
    own.push(await coldStart(demo, ["--port", String(port), "--host", "127.0.0.1"], port));
  }
  const served = [fastifyText, decernServer, decernFastify].flatMap((name) => {
    const service = services.find((candidate) => candidate.name === name);
    return service === undefined ? [] : [{ name, service, ms: [] as number[] }];
  });
  for (let start = 0; start < sizes.http.coldStarts; start += 1) {
    for (const { service, ms } of served)
      ms.push(await firstReply(service, loanRings(1)[0]?.samples[0]?.input));
  }
  const ratios = served.map(({ name, ms }) => ({
    name,
    ratio: median(ms.map((one, index) => one / (served[0]?.ms[index] ?? Number.NaN))),
  }));
  const extra = median(own.map((ms, index) => ms - (theirs[index] ?? Number.NaN)));
  return {
    title: "Cold start, spawn to first 200",
    note: `ms; ${sizes.http.coldStarts} starts in turn.`,
    columns: ["", "ms", "±"],
    rows: [
      ["bare Fastify 5, plain handler", round(median(theirs)), `${round(spread(theirs) * 100)} %`],
      ["the demo, four decisions", round(median(own)), `${round(spread(own) * 100)} %`],
      ...served.map(({ name, ms }) => [
        `${name}: first evaluation`,
        round(median(ms)),
        `${round(spread(ms) * 100)} %`,
      ]),
    ],
    targets: [
      atMost("demo's start, more than bare Fastify's", 150, extra, " ms"),
      ...ratios
        .slice(1)
        .map(({ name, ratio }) =>
          atMost(`first evaluation against prepared text: ${name}`, 1.31, ratio, "×"),
        ),
    ],
  };
}

/** Memory of the services after many requests. */
export async function memoryTable(sizes: Sizes): Promise<Table> {
  const { connections, roundSeconds, memoryRequests } = sizes.http;
  const mix = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
  const measured: { readonly name: string; readonly rss: number; readonly heap: number }[] = [];
  for (const service of services) {
    if (![fastifyPlain, decernServer, decernServerMetrics].includes(service.name)) continue;
    const process = await ServiceProcess.start(service);
    try {
      const bodies = mix.map(({ input }) => bodyFor(service, input));
      for (const { url } of process.services) {
        for (let requests = 0; requests < memoryRequests; ) {
          requests += (await load(url, bodies, connections, roundSeconds)).requests;
        }
      }
      const { rss, heapUsed } = await process.memory();
      measured.push({ name: service.name, rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 });
    } finally {
      await process.stop();
    }
  }
  const base = measured.find(({ name }) => name === fastifyPlain)?.rss ?? Number.NaN;
  const own = measured.find(({ name }) => name === decernServer)?.rss ?? Number.NaN;
  return {
    title: `Memory after ${memoryRequests.toLocaleString("en-US")} requests or more`,
    note: "MiB, after a collection; × compares rss.",
    columns: ["", "rss", "heap", "×"],
    rows: measured.map(({ name, rss, heap }) => [name, round(rss), round(heap), round(rss / base)]),
    targets: [atMost("server's memory against bare Fastify's", 1.08, own / base, "×")],
  };
}
