import assert from "node:assert/strict";
import { z } from "zod";
import { readResult } from "../contestants/read-result.js";
import { bodyFor } from "../http/check-service.js";
import { latenciesBeside } from "../http/latencies-beside.js";
import { load, loadGenerator } from "../http/load.js";
import { type RunningService, ServiceProcess } from "../http/service-process.js";
import * as names from "../http/services.js";
import { median, quantile } from "../measure/statistics.js";
import type { Sizes } from "../sizes.js";
import { variedRate } from "../workload/decisions.js";
import { loanRings, type Sample } from "../workload/loan-rings.js";
import { atLeast, atMost, round, type Table } from "./table.js";

/** Inputs in one request: as many as a server takes unless it is told otherwise. */
const inputsPerRequest = 1000;
/** Two, so that one request arrives while another one is evaluated. */
const connections = 2;

/** How many inputs are sent. */
interface Format {
  readonly type: string;
  readonly body: (inputs: readonly unknown[]) => string;
  readonly items: (reply: string) => readonly unknown[];
  /** How the items of a reply become its text. */
  readonly reply: (items: readonly unknown[]) => string;
  /** How the text of a body becomes inputs. */
  readonly inputs: (body: string) => unknown;
}

const list: Format = {
  type: "application/json",
  body: (inputs) => JSON.stringify({ inputs }),
  items: (reply) => JSON.parse(reply).results,
  reply: (results) => JSON.stringify({ results }),
  inputs: (body) => JSON.parse(body),
};

const lines: Format = {
  type: "application/x-ndjson",
  body: (inputs) => inputs.map((input) => `${JSON.stringify(input)}\n`).join(""),
  items: (reply) =>
    reply
      .split("\n")
      .slice(0, -2)
      .map((line) => JSON.parse(line)),
  reply: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(""),
  inputs: (body) =>
    body
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
};

/** What is measured. */
interface Load {
  readonly name: string;
  readonly service: names.Service;
  readonly format: Format;
  readonly samples: readonly Sample[];
}

/** Calls of the limit in one round: of a request's data each. */
const limitCalls = 50;

interface Round {
  readonly perSecond: number;
  /** Processor time of the server, microseconds per evaluation. */
  readonly cpu: number;
  /** Milliseconds of single requests meanwhile. */
  readonly p99: number;
  /** Processor time of JSON alone, microseconds per evaluation. */
  readonly limit: number;
}

/** Many inputs in one request, full envelopes, with single requests beside them. */
export async function batchTable(sizes: Sizes): Promise<Table> {
  const { rounds, roundSeconds, warmUpSeconds } = sizes.batch;
  const mix = loanRings(sizes.ring).find(({ name }) => name === "mix")?.samples ?? [];
  const samples = Array.from({ length: inputsPerRequest }, (_, index) => mix[index % mix.length]).filter(
    (sample) => sample !== undefined,
  );
  const service = names.decernServerPlain;
  const loads: readonly Load[] = [
    { name: "a list in JSON", service, format: list, samples },
    {
      name: "a list, results that all differ",
      service: names.decernServerVaried,
      format: list,
      samples: samples.map(varied),
    },
    { name: "lines of NDJSON", service, format: lines, samples },
  ];
  const measured = loads.map((load) => ({ ...load, rounds: [] as Round[] }));
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const { service, format, samples, rounds } of measured) {
      await inItsProcess(service, async (running, cpuMicroseconds) => {
        const items = await check(running, format, samples);
        if (warmUpSeconds > 0) await put(running, format, samples, warmUpSeconds, cpuMicroseconds);
        const alone = await put(running, format, samples, roundSeconds, cpuMicroseconds);
        const beside = await putBesideSingles(running, format, samples, roundSeconds);
        rounds.push({ ...alone, p99: beside, limit: jsonAlone(format, samples, items) });
      });
    }
  }
  const rows = measured.map(({ name, rounds }) => ({
    name,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
    p99: median(rounds.map(({ p99 }) => p99)),
    limit: median(rounds.map(({ limit }) => limit)),
  }));
  const [inLists] = rows;
  return {
    title: "Many inputs in one request, W1 mix",
    note: `Each request has ${inputsPerRequest.toLocaleString("en-US")} inputs. CPU: the server's, µs per evaluation; JSON alone: µs, to parse inputs and write envelopes; single p99: ms, of single requests on 4 connections meanwhile. ${rounds} rounds of ${roundSeconds} s, warm-up ${warmUpSeconds} s; ${loadGenerator}, ${connections} connections.`,
    columns: ["", "evaluations/s", "CPU", "evaluations/s of a core", "JSON alone", "single p99"],
    rows: rows.map(({ name, perSecond, cpu, limit, p99 }) => [
      name,
      round(perSecond),
      round(cpu),
      round(1e6 / cpu),
      round(limit),
      round(p99),
    ]),
    targets: [
      atLeast("evaluations per second of a core, in lists", 400_000, 1e6 / (inLists?.cpu ?? Number.NaN)),
      atMost("p99 of single requests alongside lists", 25, inLists?.p99 ?? Number.NaN, " ms"),
    ],
  };
}

/** What has to come out of the decision whose answers all differ. */
function varied({ input, expected }: Sample): Sample {
  if (expected.status !== "OK") return { input, expected };
  const { income } = withIncome.parse(input).applicant;
  return { input, expected: { ...expected, data: { ...expected.data, rate: variedRate(income) } } };
}

const withIncome = z.object({ applicant: z.object({ income: z.number() }) });

async function inItsProcess(
  service: names.Service,
  work: (running: RunningService, cpuMicroseconds: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const process = await ServiceProcess.start(service);
  try {
    for (const running of process.services) await work(running, () => process.cpuMicroseconds());
  } finally {
    await process.stop();
  }
}

/** Microseconds of this process for each item. */
function jsonAlone(format: Format, samples: readonly Sample[], items: readonly unknown[]): number {
  const body = format.body(samples.map(({ input }) => input));
  let length = 0;
  const before = process.cpuUsage();
  for (let call = 0; call < limitCalls; call += 1) {
    format.inputs(body);
    length += format.reply(items).length;
  }
  const { user, system } = process.cpuUsage(before);
  assert.ok(length > 0);
  return (user + system) / limitCalls / items.length;
}

/** Nobody is put under load who answers something else than has to come out. Returns what is answered. */
async function check(
  { url }: RunningService,
  format: Format,
  samples: readonly Sample[],
): Promise<readonly unknown[]> {
  const body = format.body(samples.map(({ input }) => input));
  const headers = { "content-type": format.type };
  const reply = await fetch(`${url}/batch`, { method: "POST", headers, body });
  const raw = format.items(await reply.text());
  const items = raw.map(readResult);
  assert.equal(items.length, samples.length);
  for (const [index, { expected }] of samples.entries()) {
    assert.equal(items[index]?.status, expected.status);
    if (expected.status === "OK") assert.deepEqual(items[index]?.data, expected.data);
  }
  return raw;
}

async function put(
  { url }: RunningService,
  format: Format,
  samples: readonly Sample[],
  seconds: number,
  cpuMicroseconds: () => Promise<number>,
): Promise<Pick<Round, "perSecond" | "cpu">> {
  const body = format.body(samples.map(({ input }) => input));
  const before = await cpuMicroseconds();
  const result = await load(`${url}/batch`, [body], connections, seconds, format.type);
  const used = (await cpuMicroseconds()) - before;
  return {
    perSecond: result.perSecond * samples.length,
    cpu: used / result.requests / samples.length,
  };
}

async function putBesideSingles(
  { url, service }: RunningService,
  format: Format,
  samples: readonly Sample[],
  seconds: number,
): Promise<number> {
  const body = format.body(samples.map(({ input }) => input));
  const singles = samples.map(({ input }) => bodyFor(service, input));
  let isOver = false;
  const loaded = load(`${url}/batch`, [body], connections, seconds, format.type).finally(() => {
    isOver = true;
  });
  const latencies = await latenciesBeside(url, singles, () => isOver);
  await loaded;
  return quantile(latencies, 0.99);
}
