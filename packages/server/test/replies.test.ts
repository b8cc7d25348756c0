import type { Decision, ReplyEvent } from "@decern/core";
import { expect, it } from "vitest";
import { maxUnanswered } from "../src/connections/take-requests.js";
import { createServer, type ServerOptions } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { Deferred } from "./support/deferred.js";
import { RawClient } from "./support/raw-client.js";

/** A server, and what its observer was told. */
function watched(options: Partial<ServerOptions> = {}) {
  const events: ReplyEvent[] = [];
  const served: Decision[] = [];
  const observer = {
    onEvaluated() {},
    onServed: (all: readonly Decision[]) => void served.push(...all),
    onReplied: (event: ReplyEvent) => void events.push(event),
  };
  const server = createServer({ decisions, profiles, logger: false, observers: [observer], ...options });
  /** The replies so far, as `method route status`. */
  const replies = () =>
    events
      .filter(({ count }) => count === 1)
      .map(({ method, route, status }) => `${method ?? "-"} ${route ?? "-"} ${status}`);
  return { server, events, served, replies };
}

it("tells how long a reply took, from the request to its end", async () => {
  const wait = () => new Promise<void>((resolve) => void setTimeout(resolve, 40));
  const { server, events } = watched({ hooks: { beforeEvaluate: wait } });
  await server.handler.inject(evaluation);
  await server.handler.inject("/nowhere");
  const [reply, nowhere] = events.filter(({ count }) => count === 1);
  // A timer may fire a millisecond early.
  expect(reply?.durationSeconds).toBeGreaterThan(0.038);
  expect(nowhere?.route).toBeUndefined();
});

const evaluation = { method: "POST", url: "/decisions/outcomes", payload: { input: { end: "ok" } } } as const;

it("tells observers of every reply, with the route's template and never the request's path", async () => {
  const { server, replies } = watched({
    bodyLimit: 100,
    authenticate: ({ headers }) => headers["x-key"] === "k",
  });
  const { handler } = server;
  const headers = { "x-key": "k" };
  await handler.inject({ ...evaluation, headers });
  await handler.inject(evaluation);
  await handler.inject({ ...evaluation, headers, payload: { input: { end: "x".repeat(200) } } });
  await handler.inject({ ...evaluation, headers: { ...headers, "content-type": "text/csv" }, payload: "a" });
  await handler.inject({ ...evaluation, headers, payload: { input: { end: "throw" } } });
  await handler.inject({ ...evaluation, headers, url: "/decisions/unknown-1" });
  await handler.inject({ headers, url: "/nowhere/1" });
  await handler.inject({ headers, url: "/decisions/outcomes" });
  await handler.inject({ headers, url: "/%zz" });
  await handler.inject("/health/live");
  expect(replies()).toEqual([
    "POST /decisions/:id 200",
    "POST /decisions/:id 401",
    "POST /decisions/:id 413",
    "POST /decisions/:id 415",
    "POST /decisions/:id 500",
    "POST /decisions/:id 404",
    "GET - 404",
    "GET - 405",
    "GET - 400",
    "GET /health/live 200",
  ]);
});

it("tells of what is refused under overload, and by a hook", async () => {
  const refuse = () => Promise.reject(Object.assign(new Error("no quota"), { statusCode: 429 }));
  const refusing = watched({ hooks: { beforeEvaluate: refuse } });
  await refusing.server.handler.inject(evaluation);
  expect(refusing.replies()).toEqual(["POST /decisions/:id 429"]);

  const full = watched({
    overload: { maxConcurrent: 1 },
    hooks: { beforeEvaluate: () => new Promise<void>((resolve) => setImmediate(resolve)) },
  });
  await Promise.all([full.server.handler.inject(evaluation), full.server.handler.inject(evaluation)]);
  expect(full.replies().toSorted()).toEqual(["POST /decisions/:id 200", "POST /decisions/:id 503"]);
});

it("tells of replies to what Node cannot read, and to CONNECT", async () => {
  const { server, replies } = watched();
  const port = Number(new URL(await server.listen(0, { host: "127.0.0.1" })).port);
  const malformed = await RawClient.open(port);
  await malformed.send("nonsense\r\n\r\n").ended;
  const large = await RawClient.open(port);
  await large.send(`GET / HTTP/1.1\r\nHost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`).ended;
  const tunnel = await RawClient.open(port);
  await tunnel.send("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n").ended;
  await server.close();
  expect(replies()).toEqual(["- - 400", "- - 431", "CONNECT - 405"]);
});

it("tells nothing of a reply whose caller has gone", async () => {
  const asked = new Deferred<void>();
  const closed = new Deferred<void>();
  const { server, replies } = watched({
    hooks: {
      async beforeEvaluate() {
        asked.resolve();
        await closed.promise;
      },
    },
  });
  const { handler } = server;
  handler.server.on("connection", (socket) => void socket.once("close", () => closed.resolve()));
  const port = Number(new URL(await server.listen(0, { host: "127.0.0.1" })).port);
  const client = await RawClient.open(port);
  const body = JSON.stringify(evaluation.payload);
  client.send(
    `POST ${evaluation.url} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await asked.promise;
  client.socket.destroy();
  await closed.promise;
  await handler.inject("/health/live");
  await server.close();
  expect(replies()).toEqual(["GET /health/live 200"]);
});

it("tells of the refusal of one pipelined request too many", async () => {
  const waiting: (() => void)[] = [];
  const { server, replies } = watched({
    authenticate: () => new Promise<true>((resolve) => waiting.push(() => resolve(true))),
  });
  const port = Number(new URL(await server.listen(0, { host: "127.0.0.1" })).port);
  const client = await RawClient.open(port);
  client.send("GET /decisions HTTP/1.1\r\nHost: a\r\n\r\n".repeat(maxUnanswered + 1));
  await expect.poll(replies).toEqual(["GET - 503"]);
  for (const release of waiting) release();
  await client.ended;
  await server.close();
  expect(replies()).toHaveLength(maxUnanswered + 1);
});

it("announces each route's faults with the count 0, and every served version", async () => {
  const { server, events, served } = watched({ authenticate: () => true, docs: false });
  await server.handler.ready();
  expect(events.every(({ count }) => count === 0)).toBe(true);
  const announced = (path: string) =>
    events.filter(({ route, method }) => route === path && method !== "HEAD").map(({ status }) => status);
  expect(announced("/decisions/:id")).toEqual([401, 500, 503]);
  expect(announced("/health/live")).toEqual([500]);
  expect(served.map(({ id, version }) => [id, version])).toEqual([
    ["outcomes", "1.2.0"],
    ["broken", "0.1.0"],
  ]);
});

it("serves on when an observer throws, and logs that", async () => {
  const lines: string[] = [];
  const fail = (): never => {
    throw new Error("observer");
  };
  const { handler } = createServer({
    decisions: [],
    docs: false,
    logger: { error: (_details, message) => void lines.push(message) },
    observers: [{ onEvaluated() {}, onServed: fail, onReplied: fail }],
  });
  const reply = await handler.inject("/health/live");
  expect(reply.statusCode).toBe(200);
  expect(new Set(lines)).toEqual(new Set(["An observer failed"]));
});
