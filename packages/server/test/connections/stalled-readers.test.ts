import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { defineDecision } from "@decern/core";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { apiKeys, createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { fakeMetrics, fakeOpenAPI } from "../support/fake-features.js";
import { bind, get, open, post, readUntilEnd } from "./raw-client.js";

const megabyte = 1024 * 1024;
/** More than the kernel buffers for a client that does not read. */
const muchMore = 32 * megabyte;

/** Returns a text of the requested length. */
const long = defineDecision({
  id: "long",
  version: "1.0.0",
  inputSchema: z.object({ length: z.number() }),
  outputSchema: z.object({ text: z.string() }),
  profileSchema: z.object({}),
  rules: [{ id: "only", when: () => true, emit: ({ length }) => ({ text: "x".repeat(length) }) }],
});
const evaluation = (length: number, headers = "") =>
  post("/decisions/long", JSON.stringify({ input: { length } }), headers);

let server: DecisionServer;
afterEach(() => server.close());

function make(options: Partial<ServerOptions> = {}): void {
  server = createServer({
    decisions: [long],
    logger: false,
    metrics: fakeMetrics(),
    openapi: fakeOpenAPI(),
    // Only the write time-out may end the connections tested here.
    requestTimeoutMs: 600_000,
    keepAliveTimeoutMs: 600_000,
    writeTimeoutMs: 200,
    closeTimeoutMs: 1,
    ...options,
  });
}

/** Connects, and returns both ends. The client reads nothing until it is told to. */
async function connectTo(port: number): Promise<{ client: Socket; served: Socket }> {
  const accepted: Promise<Socket[]> = once(server.handler.server, "connection");
  const client = await open(port);
  const [served] = await accepted;
  if (served === undefined) throw new Error("not accepted");
  return { client, served };
}

/** Sends requests, reads nothing, and resolves when the server has ended the connection. */
async function stall(port: number, text: string): Promise<void> {
  const { client, served } = await connectTo(port);
  const closed = once(served, "close");
  client.write(text);
  await closed;
  client.destroy();
}

describe("a client that sends requests but reads no reply", () => {
  const key = "x-api-key: secret\r\n";
  const routes = [
    ["an evaluation", evaluation(megabyte, key)],
    ["the OpenAPI document", get("/openapi.json", key)],
    ["a script of Swagger UI", get("/swagger/static/swagger-ui-bundle.js")],
    ["a page", get("/docs")],
    ["a probe", get("/health/live")],
    ["no route", get("/nowhere", key)],
    ["a refusal", get("/decisions")],
  ] as const;

  it.each(routes)("is disconnected: %s", async (_what, request) => {
    make({ authenticate: apiKeys({ keys: ["secret"] }) });
    const port = await bind(server);
    const { client } = await connectTo(port);
    client.write(request);
    const [first]: Buffer[] = await once(client, "data");
    client.destroy();
    const length = /content-length: (\d+)/i.exec(String(first))?.[1];
    const size = Number(length) + String(first).indexOf("\r\n\r\n") + 4;
    await stall(port, request.repeat(Math.ceil(muchMore / size)));
  });

  it("is disconnected on a host's route, for whole and for streamed replies", async () => {
    make();
    server.handler.get("/whole", (_request, reply) => reply.send(Buffer.alloc(muchMore)));
    server.handler.get("/parts", (_request, reply) => reply.send(Readable.from(parts())));
    const port = await bind(server);
    await stall(port, get("/whole"));
    await stall(port, get("/parts"));
  });

  it("is disconnected even if it keeps sending", async () => {
    // Asynchronous, so there is no reply yet that would make Node stop reading.
    make({ requestTimeoutMs: 400, hooks: { beforeEvaluate: async () => undefined } });
    const { client, served } = await connectTo(await bind(server));
    client.write(evaluation(megabyte).repeat(64));
    client.write("GET /health/live HTTP/1.1\r\nhost: x\r\nx-slow: ");
    while (!served.destroyed) {
      client.write("x");
      await wait(10);
    }
    client.destroy();
  });

  it("has a few of its requests evaluated; the rest is not even read", async () => {
    let evaluated = 0;
    const beforeEvaluate = (): void => {
      evaluated += 1;
    };
    make({ hooks: { beforeEvaluate } });
    const sent = 20_000;
    await stall(await bind(server), evaluation(65_536).repeat(sent));
    expect(evaluated).toBeGreaterThan(0);
    // What the kernel buffers at both ends, plus one more read of requests.
    expect(evaluated).toBeLessThan(sent / 4);
  });

  it("holds no file open", { skip: !existsSync("/proc/self/fd") }, async () => {
    make({ writeTimeoutMs: 600_000 });
    const port = await bind(server);
    const page = await server.handler.inject("/docs");
    const assets = [...page.body.matchAll(/"docs\/(assets\/[^"]+)"/g)].map(([, path]) =>
      get(`/docs/${path}`),
    );
    expect(assets.length).toBeGreaterThan(0);
    const scripts = get("/swagger/static/swagger-ui-bundle.js") + get("/swagger/static/./swagger-ui.css");
    const stalled: Awaited<ReturnType<typeof connectTo>>[] = [];
    while (stalled.length < 10) stalled.push(await connectTo(port));
    for (const { client } of stalled) client.write((assets.join("") + scripts).repeat(10));
    for (const { served } of stalled) while (served.writableLength === 0) await turn();
    const links = readdirSync("/proc/self/fd").flatMap(linkOf);
    expect(links.filter((link) => /swagger-ui|dist\/page/.test(link))).toEqual([]);
    for (const { client } of stalled) client.destroy();
  });
});

describe("a client that reads", () => {
  it("slowly but steadily gets all of a large reply", async () => {
    make();
    server.handler.get("/whole", (_request, reply) => reply.send(Buffer.alloc(muchMore, "x")));
    const port = await bind(server);
    const { client } = await connectTo(port);
    const reading = readUntilEnd(client);
    client.pause();
    client.write(get("/whole", "connection: close\r\n"));
    let inTurn = 0;
    const readNoMore = (chunk: Buffer): void => {
      inTurn += chunk.length;
      if (inTurn >= megabyte) client.pause();
    };
    client.on("data", readNoMore);
    const timer = setInterval(() => {
      inTurn = 0;
      client.resume();
    }, 20);
    // Longer than three clients that read nothing are kept, one after the other.
    for (const _client of [1, 2, 3]) await stall(port, get("/whole"));
    clearInterval(timer);
    client.off("data", readNoMore);
    client.resume();
    const { replies } = await reading;
    expect(replies.map(({ status, body }) => [status, body.length])).toEqual([[200, muchMore]]);
  });

  it("everything sent so far stays connected while the service prepares the rest", async () => {
    let goOn = (): void => {};
    const rest = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    make();
    server.handler.get("/whole", (_request, reply) => reply.send(Buffer.alloc(muchMore)));
    server.handler.get("/slow", (_request, reply) => reply.send(Readable.from(parts(rest))));
    const port = await bind(server);
    const { client, served } = await connectTo(port);
    const reading = readUntilEnd(client);
    client.pause();
    client.write(get("/slow", "connection: close\r\n"));
    // The server has started to watch this client.
    while (served.timeout === undefined || served.timeout === 0) await turn();
    client.resume();
    for (const _client of [1, 2]) await stall(port, get("/whole"));
    goOn();
    const { replies } = await reading;
    expect(replies.map(({ status, body }) => [status, body.length])).toEqual([[200, muchMore + 4]]);
  });
});

async function* parts(rest?: Promise<void>): AsyncGenerator<Buffer> {
  const part = Buffer.alloc(megabyte);
  for (let size = 0; size < muchMore; size += part.length) yield part;
  await rest;
  yield Buffer.from("rest");
}

/** The file of a descriptor, which may have been closed meanwhile. */
function linkOf(descriptor: string): string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${descriptor}`)];
  } catch {
    return [];
  }
}
