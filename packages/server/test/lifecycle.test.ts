import { once } from "node:events";
import { type AddressInfo, connect, createServer as createNetServer } from "node:net";
import { DecernError } from "@decern/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { RawClient } from "./support/raw-client.js";

const evaluation = { method: "POST", url: "/decisions/outcomes", payload: { input: { end: "ok" } } } as const;
const servers: DecisionServer[] = [];
/** Longer than any test waits, so nothing ends because of this time-out. */
const patient = { hookTimeoutMs: 600_000, keepAliveTimeoutMs: 600_000, closeTimeoutMs: 600_000 } as const;
let printed: string[] = [];

function make(options: Partial<Omit<ServerOptions<typeof decisions>, "decisions">> = {}): DecisionServer {
  const server = createServer({ decisions, profiles, docs: false, logger: false, ...options });
  servers.push(server);
  return server;
}

beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  vi.restoreAllMocks();
});

/** Sends raw bytes, and waits until the connection ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += String(chunk);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

/** The addresses of localhost that this machine has. */
const loopback = (await Promise.all(["127.0.0.1", "::1"].map(addressHere))).flat();

async function addressHere(address: string): Promise<readonly string[]> {
  const probe = await occupy(address).catch(() => undefined);
  await probe?.close();
  return probe === undefined ? [] : [address];
}

/** A server of another program. */
async function occupy(host: string): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = createNetServer().listen(0, host);
  await once(server, "listening");
  const { port }: Partial<AddressInfo> = Object(server.address());
  return { port: port ?? 0, close: () => once(server.close(), "close") };
}

const portOf = (address: string): number => Number(new URL(address).port);

describe("listen", () => {
  it("resolves to the address once bound, then prints it", async () => {
    const server = createServer({ decisions, profiles, logger: false });
    servers.push(server);
    const bound = server.listen(0);
    expect(printed).toEqual([]);
    const address = await bound;
    const port = portOf(address);
    expect(port).toBeGreaterThan(0);
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
    const notice = printed.join("\n");
    expect(notice).toContain(`port ${port}`);
    expect(notice).toContain("2 decisions");
    expect(notice).toContain(`http://localhost:${port}/docs`);
    expect(notice).toContain(`http://localhost:${port}/decisions`);
  });

  it("listens on every address of localhost", async () => {
    const port = portOf(await make().listen(0));
    for (const address of loopback) {
      const text = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      expect(await (await RawClient.open(port, address)).send(text).ended).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  });

  it.each(loopback)(
    "rejects when the port is taken on %s alone, binds nothing, and can be called again",
    async (taken) => {
      const other = await occupy(taken);
      const server = make();
      await expect(server.listen(other.port)).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
      expect(printed).toEqual([]);
      for (const address of loopback.filter((name) => name !== taken)) {
        await expect(RawClient.open(other.port, address)).rejects.toMatchObject({ code: "ECONNREFUSED" });
      }
      await other.close();
      expect(portOf(await server.listen(other.port))).toBe(other.port);
      await server.close();
      for (const address of loopback) {
        await expect(RawClient.open(other.port, address)).rejects.toMatchObject({ code: "ECONNREFUSED" });
      }
    },
  );

  it("tries another free port if the other address of localhost has it in use", async () => {
    const server = make();
    const inUse = Object.assign(new Error("in use"), { code: "EADDRINUSE" });
    vi.spyOn(server.handler, "listen").mockRejectedValueOnce(inUse);
    const port = portOf(await server.listen(0));
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(200);
  });

  it("passes upgrades on every address of localhost to a host that handles them", async () => {
    const server = make();
    server.handler.server.on("upgrade", (_request, socket) => void socket.end("upgraded"));
    const port = portOf(await server.listen(0));
    for (const address of loopback) {
      const text = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
      expect(await (await RawClient.open(port, address)).send(text).ended).toBe("upgraded");
    }
  });

  it("does not print the docs page when it is off", async () => {
    await make().listen(0, { host: "127.0.0.1" });
    expect(printed.join("\n")).not.toContain("/docs");
  });

  it("rejects with a readable error when the port is taken, and can be called again", async () => {
    const port = portOf(await make().listen(0, { host: "127.0.0.1" }));
    const second = make();
    const refused = second.listen(port, { host: "127.0.0.1" });
    await expect(refused).rejects.toThrow(DecernError);
    await expect(refused).rejects.toMatchObject({
      code: "ADDRESS_IN_USE",
      message: expect.stringContaining(String(port)),
    });
    expect(printed).toHaveLength(1);
    expect(await second.listen(0, { host: "127.0.0.1" })).toMatch(/^http:/);
  });

  it("refuses to listen again, also while it binds, and leaves nothing bound when it closes", async () => {
    const server = make();
    const first = server.listen(0);
    const refusal = { code: "INVALID_OPTIONS", message: expect.stringContaining("listen was called before") };
    await expect(server.listen(0)).rejects.toMatchObject(refusal);
    const port = portOf(await first);
    await expect(server.listen(0)).rejects.toMatchObject(refusal);
    await server.close();
    for (const host of loopback) {
      const [error] = await once(connect(port, host), "error");
      expect(error).toMatchObject({ code: "ECONNREFUSED" });
    }
  });

  it.each([-1, 1.5, 65_536, Number.NaN])("refuses port %s", async (port) => {
    await expect(make().listen(port)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  it.each([
    [{ host: "" }, "/host"],
    [{ host: 1 }, "/host"],
    [{ signal: {} }, "/signal"],
    [{ signal: null }, "/signal"],
    [{ signal: { aborted: false } }, "/signal"],
  ])("refuses %j before it binds anything", async (options: object, path) => {
    const server = make();
    await expect(server.listen(0, options)).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
      problems: [{ path }],
    });
    expect(server.handler.server.listening).toBe(false);
    expect(printed).toEqual([]);
  });

  it("refuses an invalid host and unknown options", async () => {
    await expect(make().listen(0, { host: "nobody.invalid" })).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
    });
    const options: object = { hostname: "localhost" };
    await expect(make().listen(0, options)).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });

  it("does not start if its signal has aborted or the server closes meanwhile", async () => {
    await expect(make().listen(0, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "SERVER_CLOSING",
    });
    const server = make();
    const bound = server.listen(0);
    const refused = expect(bound).rejects.toMatchObject({ code: "SERVER_CLOSING" });
    await server.close();
    await refused;
    expect(printed).toEqual([]);
  });

  it("stops when its signal aborts", async () => {
    const controller = new AbortController();
    const server = make();
    const address = await server.listen(0, { signal: controller.signal });
    controller.abort();
    await server.close();
    await expect(RawClient.open(portOf(address))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("close", () => {
  it("refuses new requests with 503, Connection: close and Retry-After; it stays live, and is not ready", async () => {
    const { handler, close } = make();
    await handler.ready();
    const closing = close();
    const urls = ["/decisions", "/nope", "/health/ready", "/health/live"];
    const replies = await Promise.all([
      handler.inject(evaluation),
      ...urls.map((url) => handler.inject(url)),
    ]);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503, 503, 200]);
    for (const reply of replies.slice(0, 4)) {
      expect(reply.headers).toMatchObject({ connection: "close", "retry-after": "1" });
      expect(reply.json()).toEqual({ error: "Server is closing", code: "SERVER_CLOSING" });
      expect(reply.headers["x-request-id"]).toBeTypeOf("string");
    }
    await closing;
  });

  it("lets running evaluations finish", async () => {
    let release = (): void => {};
    const running = new Promise<void>((resolve) => {
      release = resolve;
    });
    const started = vi.fn(() => running);
    const hooks = { beforeEvaluate: started };
    const server = make({ hooks, ...patient });
    const address = await server.listen(0);
    const reply = fetch(`${address}/decisions/outcomes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(evaluation.payload),
    });
    await expect.poll(() => started.mock.calls).toHaveLength(1);
    let closed = false;
    const closing = server.close().then(() => {
      closed = true;
    });
    await expect.poll(() => server.handler.server.listening).toBe(false);
    expect(closed).toBe(false);
    release();
    expect(await (await reply).json()).toMatchObject({ status: "OK" });
    await closing;
    await expect(RawClient.open(portOf(address))).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("stops waiting after closeTimeoutMs", async () => {
    const started = vi.fn(() => new Promise<void>(() => {}));
    const hooks = { beforeEvaluate: started };
    const server = make({ hooks, ...patient, closeTimeoutMs: 100 });
    const address = await server.listen(0);
    const reply = fetch(`${address}/decisions/outcomes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(evaluation.payload),
    });
    const lost = expect(reply).rejects.toThrow();
    await expect.poll(() => started.mock.calls).toHaveLength(1);
    await server.close();
    await lost;
  });

  it("ends idle keep-alive connections", async () => {
    // Nothing else would end the connection before the test times out.
    const server = make(patient);
    const port = portOf(await server.listen(0));
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n"),
    );
    const [reply] = await once(socket, "data");
    expect(String(reply)).toContain("200 OK");
    const ended = once(socket.resume(), "end");
    await server.close();
    await ended;
  });

  it("can be called repeatedly, and the server cannot listen afterwards", async () => {
    const server = make();
    await server.listen(0);
    const first = server.close();
    expect(server.close()).toBe(first);
    await first;
    await expect(server.listen(0)).rejects.toMatchObject({ code: "SERVER_CLOSING" });
  });
});

describe("bytes that aren't HTTP", () => {
  it.each([
    ["a connection that sends nothing", ""],
    ["headers that never end", "GET / HTTP/1.1\r\nHost: a\r\n"],
    [
      "a body that never arrives",
      "POST /decisions/outcomes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
  ])("time out: %s", async (_what, text) => {
    const port = portOf(await make({ requestTimeoutMs: 500 }).listen(0, { host: "127.0.0.1" }));
    const received = await raw(port, text);
    expect(received).toContain("HTTP/1.1 408 Request Timeout");
    expect(received).toContain("REQUEST_TIMEOUT");
  });

  it("ignores an unknown expectation", async () => {
    const port = portOf(await make().listen(0, { host: "127.0.0.1" }));
    const text = "GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n";
    expect(await raw(port, text)).toMatch(/^HTTP\/1.1 200 [\s\S]*x-request-id/);
  });

  it("ends an idle connection", async () => {
    const port = portOf(await make({ keepAliveTimeoutMs: 50 }).listen(0, { host: "127.0.0.1" }));
    expect(await raw(port, "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")).toContain("200 OK");
  });
});
