import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Decision } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { createServer } from "@decern/server";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { OpenApiJudge } from "../support/openapi-judge.js";
import { LiveFile, setOf } from "./live-fee.js";

const connections = 64;
const swaps = 100;

const result = z.object({
  data: z.object({ row: z.number(), profile: z.number() }),
  meta: z.object({ decisionVersion: z.string(), matchedRule: z.string() }),
});

/** The marks of everything in a result: of one generation, they are all the same. */
function marksIn(envelope: unknown): readonly number[] {
  const { data, meta } = result.parse(envelope);
  return [data.row, data.profile, Number(meta.decisionVersion.slice(1)), Number(meta.matchedRule.slice(7))];
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

function send(agent: Agent, port: number, path: string, body: string, type: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type };
    const asked = request({ agent, port, host: "127.0.0.1", path, method: "POST", headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("data", (part) => {
        text += part;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      reply.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const inputs = Array.from({ length: 20 }, (_, weight) => ({ weight }));

/** What a connection asks in turn, and the results that are in the reply. */
const calls: readonly (readonly [
  path: string,
  type: string,
  body: string,
  resultsIn: (text: string) => readonly unknown[],
])[] = [
  ["", "application/json", JSON.stringify({ input: { weight: 1 } }), (text) => [JSON.parse(text)]],
  [
    "/batch",
    "application/json",
    JSON.stringify({ inputs }),
    (text) => z.object({ results: z.array(z.unknown()) }).parse(JSON.parse(text)).results,
  ],
  [
    "/batch",
    "application/x-ndjson",
    inputs.map((input) => JSON.stringify(input)).join("\n"),
    // The last line is a count.
    (text) =>
      text
        .trim()
        .split("\n")
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line)),
  ],
];

it("swaps a hundred times under 64 connections, and no reply mixes two generations", async () => {
  const file = new LiveFile(setOf(0));
  const logged: unknown[] = [];
  const logger = { error: (...line: unknown[]) => void logged.push(line), warn() {} };
  const served: WeakRef<Decision>[] = [];
  const server = createServer({
    decisions: file.source(),
    observers: [
      file,
      {
        onEvaluated() {},
        onServed: (decisions) => void served.push(...decisions.map((each) => new WeakRef(each))),
      },
    ],
    profileOverride: false,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
    logger,
  });
  onTestFinished(() => server.close());
  await server.listen(0, { host: "127.0.0.1" });
  const address = server.handler.server.address();
  if (typeof address !== "object" || address === null) throw new Error("listens on no port");
  const agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });

  const statuses = new Map<number, number>();
  const mixed: unknown[] = [];
  const backward: unknown[] = [];
  const seen = new Set<number>();
  let isOver = false;
  const load = agents.map(async (agent, index) => {
    let last = 0;
    for (let turn = index; !isOver; turn += 1) {
      const call = calls[turn % calls.length];
      if (call === undefined) continue;
      const [path, type, body, resultsIn] = call;
      const { status, text } = await send(agent, address.port, `/decisions/marked${path}`, body, type);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) continue;
      const [mark = -1, ...others] = new Set(resultsIn(text).flatMap(marksIn));
      if (others.length > 0) mixed.push([mark, ...others]);
      if (mark < last) backward.push([last, mark]);
      last = mark;
      seen.add(mark);
    }
  });
  for (let mark = 1; mark <= swaps; mark += 1) {
    await file.publish(setOf(mark));
    // Requests come between two swaps.
    await wait(5);
  }
  isOver = true;
  await Promise.all(load);
  expect({ statuses: [...statuses.keys()], mixed, backward }).toEqual({
    statuses: [200],
    mixed: [],
    backward: [],
  });
  expect(file.loads.filter(({ outcome }) => outcome === "loaded")).toHaveLength(swaps + 1);
  expect(seen.size).toBeGreaterThan(swaps / 2);
  expect(logged).toEqual([]);
  await expectCollected(served);
});

async function expectCollected(served: readonly WeakRef<Decision>[]): Promise<void> {
  expect(served.length).toBeGreaterThan(swaps);
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  const alive = async (): Promise<number> => {
    await wait(20);
    if (typeof collect === "function") collect();
    return new Set(served.map((one) => one.deref()).filter((one) => one !== undefined)).size;
  };
  // What was in use last.
  await expect.poll(alive).toBeLessThanOrEqual(1);
}

it("keeps the last set while a file is wrong: one log entry, and metrics and readiness tell", async () => {
  const file = new LiveFile(setOf(1));
  const logged: unknown[] = [];
  const logger = { error: (...line: unknown[]) => void logged.push(line), warn() {} };
  const server = createServer({
    decisions: file.source(),
    observers: [file],
    profileOverride: false,
    metrics: metrics({ enabled: true }),
    openapi: openapi({ enabled: true }),
    logger,
  });
  onTestFinished(() => server.close());
  const get = async (url: string) => (await server.handler.inject(url)).body;
  const ready = async (): Promise<unknown> => JSON.parse(await get("/health/ready"));
  const inUse = { revision: "r1", source: "file", since: expect.any(String) };
  expect(await ready()).toEqual({ status: "ready", decisions: inUse });
  await file.publish("{ broken");
  file.load();
  await wait(50);
  file.load();
  await wait(50);
  expect(await ready()).toEqual({
    status: "ready",
    decisions: { ...inUse, failingSince: expect.any(String) },
  });
  expect(logged).toHaveLength(1);
  expect(await get("/metrics")).toContain('engine_load_failing{part="decisions"} 1');
  await file.publish(setOf(1));
  expect(await ready()).toEqual({ status: "ready", decisions: inUse });
  expect(await get("/metrics")).toContain('engine_load_failing{part="decisions"} 0');
});

it("changes the ETag of a document only when its text does", async () => {
  const file = new LiveFile(setOf(1));
  const server = createServer({
    decisions: file.source(),
    observers: [file],
    profileOverride: false,
    openapi: openapi({ enabled: true }),
    logger: false,
  });
  onTestFinished(() => server.close());
  const paths = ["/openapi.json", "/decisions", "/docs/catalogue.json", "/docs/decisions/marked"];
  const tags = async () =>
    Promise.all(
      paths.map(async (url) => {
        const { statusCode, headers, body } = await server.handler.inject(url);
        return { url, statusCode, etag: headers.etag, body };
      }),
    );
  const first = await tags();
  expect(first.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 200));
  await file.publish(setOf(1, { revision: "the same again" }));
  // The list and the decision's page name the revision, which has changed.
  const unnamed = ["/openapi.json", "/docs/catalogue.json"];
  const same = (await tags()).filter(({ url }) => unnamed.includes(url));
  expect(same).toEqual(first.filter(({ url }) => unnamed.includes(url)));
  await file.publish(setOf(2));
  for (const [index, { url, etag, body }] of (await tags()).entries()) {
    const before = first[index];
    expect({ url, isSame: etag === before?.etag }).toEqual({ url, isSame: body === before?.body });
  }
  const [document, listing] = await tags();
  const list: unknown = JSON.parse(listing?.body ?? "");
  expect(list).toMatchObject({
    decisions: [{ id: "marked", version: "v2" }],
    loaded: { decisions: { revision: "r2", source: "file" } },
  });
  const judge = new OpenApiJudge(JSON.parse(document?.body ?? ""));
  const isListing = judge.answer("GET /decisions", "200")?.content.get("application/json");
  expect({ isValid: isListing?.(list), errors: isListing?.errors }).toEqual({ isValid: true, errors: null });
  expect(isListing?.({ decisions: [], loaded: { decisions: { since: "yesterday" } } })).toBe(false);
});
