import { createServer, type DecisionServer } from "@decern/server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { defaultDecisions, profiles } from "../../src/decisions/index.js";
import { portOf } from "../support/listening.js";
import { send } from "./raw-request.js";
import { converse, statuses } from "./raw-socket.js";

const body = JSON.stringify({ input: { user: { id: "u", role: "admin" } } });
const path = "/decisions/loan-approval";

async function start(limitMs: number): Promise<DecisionServer> {
  const server = createServer({
    decisions: defaultDecisions,
    profiles,
    requestTimeoutMs: limitMs,
    keepAliveTimeoutMs: limitMs,
    logger: false,
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  return server;
}

/** One server with short time-outs that tests wait for, and one with time-outs that no test reaches. */
let hasty: DecisionServer;
let patient: DecisionServer;
let port: number;

beforeAll(async () => {
  hasty = await start(800);
  patient = await start(600_000);
  port = portOf(patient.handler.server);
});
afterAll(() => Promise.all([hasty.close(), patient.close()]));

// The next client is served, regardless of the previous one.
afterEach(async () => {
  for (const server of [hasty, patient]) {
    const probe = { method: "GET", path: "/health/ready" };
    await expect.poll(async () => (await send(portOf(server.handler.server), probe)).status).toBe(200);
  }
});

function post(headers: string, content: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n${content}`;
}

describe("a client that is slow, or stops", () => {
  // None of these clients hangs up: the server closes the connection.
  const hastyPort = (): number => portOf(hasty.handler.server);

  it.each([
    ["half a request line", ["POST /deci"]],
    ["headers that never end", [`GET / HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n`]],
    ["a body that never comes", [post("content-length: 100\r\n", "{")]],
    ["chunks that never end", [post("transfer-encoding: chunked\r\n", '5\r\n{"inp\r\n')]],
  ])("is closed by the time-out: %s", async (_name, pieces) => {
    const conversation = await converse(hastyPort(), pieces);
    expect(statuses(conversation)).toEqual([408]);
    expect(conversation.received).toContain('"code":"REQUEST_TIMEOUT"');
  });

  it("is disconnected when it sends a byte at a time", async () => {
    function* dripping(): Generator<string> {
      yield* "GET / HTTP/1.1\r\nhost: x\r\nx-slow: ";
      for (;;) yield "a";
    }
    const conversation = await converse(hastyPort(), dripping(), { pauseMs: 50 });
    expect(statuses(conversation).filter((status) => status !== 408)).toEqual([]);
  });

  it("is disconnected when it sends nothing after a reply", async () => {
    const conversation = await converse(hastyPort(), ["GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n"]);
    expect(statuses(conversation)).toEqual([200]);
  });

  it("may disconnect in the middle of an upload", async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        converse(port, [post("content-length: 100000\r\n", "x".repeat(1000))], { hangUpAfterMs: 50 }),
      ),
    );
  });
});

describe("several requests on one connection", () => {
  it("get replies in order when they are pipelined", async () => {
    const one = post(`content-length: ${body.length}\r\n`, body);
    const health = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
    const last = "GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    expect(statuses(await converse(port, [one + health + one + last]))).toEqual([400, 200, 400, 404]);
  });
});

describe("a request that a proxy and the server could read differently", () => {
  const smuggled = "GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n";
  it.each([
    ["two lengths", post(`content-length: ${body.length}\r\ncontent-length: 4\r\n`, body)],
    [
      "a length and chunks",
      post(`content-length: 4\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n${smuggled}`),
    ],
    [
      "chunks and a length",
      post(`transfer-encoding: chunked\r\ncontent-length: 4\r\n`, `0\r\n\r\n${smuggled}`),
    ],
    ["chunked twice", post("transfer-encoding: chunked, chunked\r\n", `0\r\n\r\n${smuggled}`)],
    ["chunked in disguise", post("transfer-encoding: xchunked\r\n", `0\r\n\r\n${smuggled}`)],
    ["a space before the colon", post("content-length : 4\r\n", smuggled)],
    ["a folded header", post("x-a: 1\r\n content-length: 4\r\n", smuggled)],
    ["a length that is not a number", post("content-length: 4x\r\n", smuggled)],
    ["a negative length", post("content-length: -1\r\n", smuggled)],
    [
      "a chunk size that overflows",
      post("transfer-encoding: chunked\r\n", `ffffffffffffffffff\r\n${smuggled}`),
    ],
    ["a bare line feed in the head", `GET / HTTP/1.1\nhost: x\n\n${smuggled}`],
    ["bytes that aren't HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
    ["a space in the URL", `GET /a b HTTP/1.1\r\nhost: x\r\n\r\n${smuggled}`],
  ])("is refused, and the connection is closed: %s", async (_name, text) => {
    const conversation = await converse(port, [Buffer.from(text, "latin1")]);
    expect(statuses(conversation)).toEqual([400]);
    expect(conversation.received).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(conversation.received).toMatch(/\{"error":"[^"]+","code":"BAD_REQUEST"\}$/);
  });

  it("is refused with 431 when its head is too long", async () => {
    const conversation = await converse(port, [
      `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(70_000)}\r\n\r\n`,
    ]);
    expect(statuses(conversation)).toEqual([431]);
    expect(conversation.received).toContain('"code":"HEADERS_TOO_LARGE"');
  });

  it("with a wrong length gets no reply for bytes that were not sent", async () => {
    const conversation = await converse(port, [post(`content-length: ${body.length + 10}\r\n`, body)], {
      end: true,
    });
    expect(statuses(conversation).filter((status) => status < 400)).toEqual([]);
  });
});
