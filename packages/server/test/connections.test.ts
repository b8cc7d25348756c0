import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Connections } from "../src/connections/connection.js";
import { takeRequests } from "../src/connections/take-requests.js";
import { createServer as createDecisionServer } from "../src/index.js";
import { RawClient } from "./support/raw-client.js";

let connections: Connections;
let server: ReturnType<typeof createServer>;
let client: RawClient;

beforeEach(async () => {
  connections = new Connections(300_000);
  server = createServer(takeRequests(connections, {}, (_request, response) => void response.end("answer")));
  connections.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port }: Partial<AddressInfo> = Object(server.address());
  [client] = await Promise.all([RawClient.open(port ?? 0), once(server, "connection")]);
});
afterEach(() => {
  connections.endAll();
  server.close();
});

it("ends a new connection only after a second sweep", async () => {
  connections.endIdle();
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.until(/answer$/);
  // It was used since the last sweep, so it gets another one.
  connections.endIdle();
  client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await client.until(/answer[\s\S]*answer$/);
  connections.endIdle();
  connections.endIdle();
  expect((await client.ended).match(/200 OK/g)).toHaveLength(2);
});

it("adds few listeners per request, none of which stay with the connection", async () => {
  const counts = async (app: FastifyInstance): Promise<number> => {
    let listeners = 0;
    app.get("/count", (request, reply) => {
      listeners = [request.raw, reply.raw, request.raw.socket]
        .flatMap((emitter) => emitter.eventNames().map((name) => emitter.listenerCount(name)))
        .reduce((sum, count) => sum + count, 0);
      reply.send("");
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port }: Partial<AddressInfo> = Object(app.server.address());
    const kept = await RawClient.open(port ?? 0);
    kept.send("GET /count HTTP/1.1\r\nHost: a\r\n\r\n");
    await kept.until(/200 OK/);
    const first = listeners;
    kept.send("GET /count HTTP/1.1\r\nHost: a\r\n\r\n");
    await kept.until(/200 OK[\s\S]*200 OK/);
    // A connection's listeners do not grow with its requests.
    expect(listeners).toBe(first);
    await app.close();
    return listeners;
  };
  const bare = fastify();
  const { handler } = createDecisionServer({ decisions: [], overload: { maxConcurrent: 5 } });
  // One for the connection; two for the reply, one of them for limited concurrency.
  expect((await counts(handler)) - (await counts(bare))).toBe(3);
});
