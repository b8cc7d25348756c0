import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createServer, type DecisionServer } from "../../src/index.js";
import { probe } from "./fixtures.js";

let server: DecisionServer;
let accepted: Socket[] = [];
afterEach(() => server.close());

/** Uses a socket, because HTTP clients cannot send invalid HTTP. */
async function open(first: string, requestTimeoutMs = 600_000): Promise<Socket> {
  accepted = [];
  server = createServer({ decisions: [probe], logger: false, requestTimeoutMs });
  const { port } = new URL(await server.handler.listen({ port: 0, host: "127.0.0.1" }));
  server.handler.server.on("connection", (socket: Socket) => accepted.push(socket));
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(first);
  return socket;
}

function expectHardened(reply: string, status: number, code: string): void {
  const [head = "", body = ""] = reply.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const headers = head.toLowerCase();
  for (const line of [
    "content-security-policy: default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options: nosniff",
    "x-frame-options: deny",
    "referrer-policy: no-referrer",
    "content-type: application/json; charset=utf-8",
    "connection: close",
  ]) {
    expect(headers).toContain(`\r\n${line}`);
  }
  expect(headers).toMatch(/\r\nx-request-id: [\w.-]{1,128}(\r\n|$)/);
  expect(JSON.parse(body)).toEqual({ error: expect.any(String), code });
}

it.each([
  ["a request without a Host", "GET / HTTP/1.1\r\nconnection: close\r\n\r\n", 400, "BAD_REQUEST"],
  ["bytes that aren't HTTP", "\x16\x03\x01 hello\r\n\r\n", 400, "BAD_REQUEST"],
  [
    "a request smuggled behind two lengths",
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na",
    400,
    "BAD_REQUEST",
  ],
  ["an endless head", `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(20_000)}`, 431, "HEADERS_TOO_LARGE"],
  [
    "a body that never arrives",
    "POST /decisions/probe HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n",
    408,
    "REQUEST_TIMEOUT",
  ],
])("replies to %s with the same headers as to every other request", async (_what, request, status, code) => {
  expectHardened(await text(await open(request, status === 408 ? 500 : undefined)), status, code);
});

it("also sends them while it closes", async () => {
  const begun = "GET /decisions HTTP/1.1\r\nhost: x\r\n";
  const socket = await open(begun);
  await expect.poll(() => accepted[0]?.bytesRead).toBe(begun.length);
  const closed = server.close();
  socket.write("\r\n");
  const reply = await text(socket);
  expectHardened(reply, 503, "SERVER_CLOSING");
  expect(reply.toLowerCase()).toContain("\r\nretry-after: 1");
  await closed;
});
