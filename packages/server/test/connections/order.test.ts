import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createServer, type DecisionServer, type ServerOptions } from "../../src/index.js";
import { decisions, profiles } from "../support/decisions.js";
import { bind, converse, get, post } from "./raw-client.js";

let server: DecisionServer;
afterEach(() => server.close());

async function start(options: Partial<ServerOptions> = {}): Promise<number> {
  server = createServer({ decisions, profiles, logger: false, ...options });
  return bind(server);
}

const path = "/decisions/outcomes";
const body = JSON.stringify({ input: { end: "ok" } });
const garbage = "\x16\x03\x01 hello\r\n\r\n";
const brokenChunk = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n`;

/** A hook that waits until it is released. */
function gate() {
  let entered = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const beforeEvaluate = (): Promise<void> => {
    entered += 1;
    return released;
  };
  return {
    beforeEvaluate,
    release,
    entered: async (count: number) => {
      while (entered < count) await turn();
    },
  };
}

describe("bytes that aren't HTTP, after a valid request", () => {
  it.each([
    ["garbage", garbage],
    ["a body that cannot be read", brokenChunk],
  ])("get a reply after the one to the earlier request: %s", async (_what, text) => {
    const waiting = gate();
    const port = await start({ hooks: { beforeEvaluate: waiting.beforeEvaluate } });
    const refused = once(server.handler.server, "clientError");
    const conversation = converse(port, post(path, body, "x-request-id: first\r\n") + text);
    await waiting.entered(1);
    await refused;
    waiting.release();
    const { replies, rest } = await conversation;
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
    expect(replies[0]?.headers.get("x-request-id")).toBe("first");
    expect(replies[1]?.headers.get("connection")).toBe("close");
    expect(rest).toBe("");
  });

  it("get a reply after a large earlier reply was sent in full", async () => {
    const large = "x".repeat(32 * 1024 * 1024);
    server = createServer({ decisions: [], logger: false });
    server.handler.get("/large", (_request, reply) => reply.send(large));
    server.handler.get("/parts", (_request, reply) => reply.send(Readable.from(parts())));
    const port = await bind(server);
    for (const route of ["/large", "/parts"]) {
      const { replies, rest } = await converse(port, get(route) + garbage);
      expect(replies.map(({ status }) => status)).toEqual([200, 400]);
      expect(rest).toBe("");
    }
  });

  it("get no reply after one that closes the connection", async () => {
    const port = await start();
    const { replies, rest } = await converse(port, get("/health/live", "connection: close\r\n") + garbage);
    expect(replies.map(({ status }) => status)).toEqual([200]);
    expect(rest).toBe("");
  });

  it("get no second reply when the request was refused before it arrived", async () => {
    const port = await start({ authenticate: () => false, requestTimeoutMs: 200 });
    const early = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
    const { replies, rest } = await converse(port, early);
    expect(replies.map(({ status }) => status)).toEqual([401]);
    expect(rest).toBe("");
  });
});

async function* parts(): AsyncGenerator<string> {
  for (let part = 0; part < 64; part += 1) {
    await turn();
    yield "y".repeat(100_000);
  }
}

describe("requests after a reply that closes the connection", () => {
  const refused = [
    ["a body that is not JSON", post(path, "{")],
    ["a forbidden key", post(path, '{"__proto__":1}')],
    ["no Host", "GET / HTTP/1.1\r\n\r\n"],
    ["the client's own Connection: close", get("/health/live", "connection: close\r\n")],
  ] as const;

  it.each(refused)("get no reply, and the next connection is served: %s", async (_what, first) => {
    const port = await start({ overload: { maxConcurrent: 2 } });
    // None of them leaves a place occupied or a reply pending.
    for (let round = 0; round < 20; round += 1) {
      const { replies, rest } = await converse(port, first + post(path, body).repeat(2) + get("/decisions"));
      expect(replies).toHaveLength(1);
      expect(replies[0]?.headers.get("connection")).toBe("close");
      expect(rest).toBe("");
    }
    const { replies } = await converse(port, get("/decisions", "connection: close\r\n"));
    expect(replies.map(({ status }) => status)).toEqual([200]);
  });
});

describe("a reply that waits for the other replies of its turn", () => {
  const parties: Readonly<Record<string, (raw: ServerResponse) => void>> = {
    "ends the reply": (raw) => {
      if (!raw.headersSent) raw.writeHead(202, { "content-length": 0, "x-request-id": "second" }).end();
    },
    "destroys the reply": (raw) => void raw.destroy(),
    "destroys the connection": (raw) => void raw.req.socket.destroy(),
  };

  it.each(Object.entries(parties))("is not written if another party %s first", async (what, act) => {
    server = createServer({ decisions, profiles, logger: false });
    server.handler.addHook("preHandler", (request, reply, done) => {
      // After the evaluation, before anything that waits for the end of the turn.
      if (request.id === "second") process.nextTick(act, reply.raw);
      done();
    });
    const port = await bind(server);
    const ids = ["first", "second", "third"];
    const requests = ids.map((id) => post(path, body, `x-request-id: ${id}\r\n`)).join("");
    const last = get("/health/live", "connection: close\r\nx-request-id: last\r\n");
    const { replies, rest } = await converse(port, requests + last);
    const answered = replies.map(({ headers }) => headers.get("x-request-id"));
    expect(answered).toEqual([...ids, "last"].slice(0, answered.length));
    if (what === "ends the reply") expect({ length: answered.length, rest }).toEqual({ length: 4, rest: "" });
    expect((await converse(port, last)).replies.map(({ status }) => status)).toEqual([200]);
  });
});
