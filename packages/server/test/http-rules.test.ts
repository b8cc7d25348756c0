import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createServer, type DecisionServer } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { fakeOpenAPI } from "./support/fake-features.js";
import { RawClient, statuses } from "./support/raw-client.js";

let server: DecisionServer;
let port: number;
const starting = vi.fn<() => unknown>();

beforeEach(async () => {
  starting.mockReset();
  server = createServer({
    decisions,
    profiles,
    logger: false,
    openapi: fakeOpenAPI(),
    hooks: { beforeEvaluate: async () => void (await starting()) },
  });
  await server.handler.listen({ port: 0, host: "127.0.0.1" });
  port = Number(new URL(server.handler.listeningOrigin).port);
});
afterEach(() => server.close());

async function talk(text: string): Promise<string> {
  return (await RawClient.open(port)).send(text).ended;
}

const body = '{"input":{"end":"ok"}}';
const evaluation = (headers: string, content = body): string =>
  `POST /decisions/outcomes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n${content}`;
const length = `Content-Length: ${body.length}\r\n`;
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const last = "Connection: close\r\n";

describe("a request that a proxy and the server could read differently", () => {
  it.each([
    ["two Hosts", "GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["two identical Hosts", "GET /health/live HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n"],
    ["two Hosts in HTTP/1.0", "GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["a Host with a path", "GET /health/live HTTP/1.1\r\nHost: a/b\r\n\r\n"],
    ["a Host with a space", "GET /health/live HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["a Host with a user", "GET /health/live HTTP/1.1\r\nHost: user@a\r\n\r\n"],
    ["two Hosts in one header", "GET /health/live HTTP/1.1\r\nHost: a , b\r\n\r\n"],
    ["a Host with an invalid port", "GET /health/live HTTP/1.1\r\nHost: a:b\r\n\r\n"],
    ["a Host with a bracket", "GET /health/live HTTP/1.1\r\nHost: [::1\r\n\r\n"],
    ["gzip before chunked", evaluation("Transfer-Encoding: gzip, chunked\r\n", chunked)],
    [
      "gzip in another line",
      evaluation("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked),
    ],
    ["an unknown coding", evaluation("Transfer-Encoding: x-nothing, chunked\r\n", chunked)],
  ])("gets 400, and ends its connection: %s", async (_what, text) => {
    const received = await talk(`${text}GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(statuses(received)).toEqual([400]);
    expect(received).toMatch(/\{"error":"Bad request","code":"BAD_REQUEST"\}$/);
    expect(received).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(starting).not.toHaveBeenCalled();
  });

  it.each([
    "a",
    "a:80",
    "a:",
    "",
    "127.0.0.1:3000",
    "[::1]:3000",
    "[::ffff:1.2.3.4]",
    "xn--a.example.",
    "a_b",
    "%41",
  ])("excludes the Host %j", async (host) => {
    expect(statuses(await talk(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`))).toEqual([200]);
  });

  it("excludes HTTP/1.0 without a Host, and absolute targets", async () => {
    expect(await talk("GET /health/live HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
    const received = await talk(`GET http://a/health/live HTTP/1.1\r\nHost: a\r\n${last}\r\n`);
    expect(statuses(received)).toEqual([200]);
  });

  it.each(["chunked", "Chunked", "CHUNKED "])("excludes the transfer coding %j", async (coding) => {
    const received = await talk(evaluation(`Transfer-Encoding: ${coding}\r\n${last}`, chunked));
    expect(statuses(received)).toEqual([200]);
  });
});

describe("the coding of a body", () => {
  it.each(["identity", "Identity", "IDENTITY", " identity ", ""])("may be %j", async (coding) => {
    expect(statuses(await talk(evaluation(`Content-Encoding: ${coding}\r\n${length}${last}`)))).toEqual([
      200,
    ]);
  });

  it.each(["gzip", "identity, gzip", "br"])("is 415 when it is %s", async (coding) => {
    expect(statuses(await talk(evaluation(`Content-Encoding: ${coding}\r\n${length}${last}`)))).toEqual([
      415,
    ]);
  });
});

describe("CONNECT", () => {
  const connect = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n";

  it("gets 405 with Allow, and ends its connection", async () => {
    const received = await talk(`${connect}what would go through the tunnel`);
    expect(statuses(received)).toEqual([405]);
    expect(received).toMatch(/\r\nallow: GET, HEAD, POST\r\n/);
    expect(received).toMatch(/\r\nconnection: close\r\n/);
    expect(received).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(received).toMatch(/"code":"METHOD_NOT_ALLOWED"\}$/);
  });

  it("gets its reply in order, after those to earlier requests", async () => {
    let release = (): void => {};
    starting.mockReturnValue(
      new Promise<void>((resolve) => {
        release = resolve;
      }),
    );
    const client = await RawClient.open(port);
    const asked = once(server.handler.server, "connect");
    client.send(`${evaluation(length)}GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n${connect}`);
    await asked;
    await expect.poll(() => starting).toHaveBeenCalled();
    expect(client.received).toBe("");
    release();
    expect(statuses(await client.ended)).toEqual([200, 200, 405]);
  });

  it("does not delay close() when its connection breaks", async () => {
    const client = await RawClient.open(port);
    starting.mockReturnValue(new Promise(() => {}));
    client.send(evaluation(length) + connect);
    await once(server.handler.server, "connect");
    client.socket.destroy();
    await client.ended;
  });
});

it.each(["websocket", "h2c"])("ignores a request to upgrade to %s", async (protocol) => {
  const upgrade = `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\n`;
  expect(statuses(await talk(`GET /health/live HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`))).toEqual([200]);
  expect(statuses(await talk(evaluation(upgrade + length)))).toEqual([200]);
  expect(statuses(await talk(`GET /nowhere HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`))).toEqual([404]);
});

it.each([
  "/swagger/static/../../package.json",
  "/swagger/static/../../../package.json",
  "/swagger/static/%2e%2e/%2e%2e/package.json",
  "/swagger/static/..%2f..%2fpackage.json",
  "/swagger/static/none.js",
  "/swagger/../package.json",
  "/docs/assets/../../package.json",
])("a path that leads out of a page's folder is not a route: %s", async (path) => {
  const received = await talk(`GET ${path} HTTP/1.1\r\nHost: a\r\n${last}\r\n`);
  expect(statuses(received)).toEqual([404]);
  expect(received).toMatch(/\{"error":"Route not found","code":"ROUTE_NOT_FOUND"\}$/);
});
