import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { describe, expect, it, vi } from "vitest";
import { createServer, type DecisionServer, type ServerOptions } from "../src/index.js";
import { decisions, profiles } from "./support/decisions.js";
import { RawClient, statuses } from "./support/raw-client.js";
import { recordingLogger } from "./support/recording-logger.js";

/** Longer than the test runner waits. */
const never = { closeTimeoutMs: 2_147_483_647, keepAliveTimeoutMs: 2_000_000_000, requestTimeoutMs: 600_000 };

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

function make(options: Partial<Omit<ServerOptions<typeof decisions>, "decisions">> = {}): DecisionServer {
  return createServer({ decisions, profiles, docs: false, logger: false, ...options });
}

async function bind(server: DecisionServer): Promise<number> {
  vi.spyOn(console, "log").mockImplementation(() => {});
  return Number(new URL(await server.listen(0, { host: "127.0.0.1" })).port);
}

/** Opens a connection, and waits until the server has accepted it. */
async function open(server: DecisionServer, port: number): Promise<RawClient> {
  const [client] = await Promise.all([RawClient.open(port), once(server.handler.server, "connection")]);
  return client;
}

const fault = new Error("the database is gone");

describe("close() with an onClose hook that fails", () => {
  const failing: readonly (readonly [string, (app: FastifyInstance) => void, unknown])[] = [
    [
      "throws",
      (app) =>
        app.addHook("onClose", () => {
          throw fault;
        }),
      fault,
    ],
    ["rejects", (app) => app.addHook("onClose", () => Promise.reject(fault)), fault],
    ["rejects with nothing", (app) => app.addHook("onClose", () => Promise.reject()), expect.any(Error)],
    ["calls back with an error", (app) => app.addHook("onClose", (_app, done) => done(fault)), fault],
    [
      "throws before it calls back",
      (app) =>
        app.addHook("onClose", (_app, _done): void => {
          throw fault;
        }),
      fault,
    ],
    [
      "throws in a plugin's scope",
      (app) =>
        app.register(async (scope) => {
          scope.addHook("onClose", () => {
            throw fault;
          });
        }),
      fault,
    ],
  ];

  it.each(failing)(
    "that %s ends the connections, then rejects and logs it once",
    async (_how, add, cause) => {
      for (const listening of [true, false]) {
        const logger = recordingLogger();
        const server = make({ logger, ...never });
        const others = vi.fn();
        server.handler.addHook("onClose", async () => others());
        add(server.handler);
        const client = listening ? await open(server, await bind(server)) : undefined;
        const closing = server.close();
        await expect(closing).rejects.toMatchObject({ code: "CLOSE_FAILED", cause });
        expect(server.close()).toBe(closing);
        expect(await client?.ended).toBe(listening ? "" : undefined);
        expect(others).toHaveBeenCalledOnce();
        expect(logger.entries).toHaveLength(1);
      }
    },
  );

  it.each(["onClose", "preClose"] as const)(
    "stops waiting for a %s hook that never settles after closeTimeoutMs, with all connections ended",
    async (name) => {
      const logger = recordingLogger();
      const server = make({ logger, closeTimeoutMs: 50 });
      const stuck = (): Promise<void> => new Promise(() => {});
      if (name === "onClose") server.handler.addHook("onClose", stuck);
      else server.handler.addHook("preClose", stuck);
      const port = await bind(server);
      const client = await open(server, port);
      await expect(server.close()).rejects.toMatchObject({
        code: "CLOSE_FAILED",
        message: expect.stringContaining("closeTimeoutMs (50 ms)"),
      });
      await client.ended;
      await expect(RawClient.open(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
      expect(logger.entries).toHaveLength(1);
    },
  );

  it.each([1, 20, 50])("leaves hooks time to run when closeTimeoutMs is %d", async (closeTimeoutMs) => {
    for (const listening of [true, false]) {
      const server = make({ closeTimeoutMs });
      const closed = vi.fn();
      server.handler.addHook("onClose", async () => {
        await sleep(60);
        closed();
      });
      if (listening) await open(server, await bind(server));
      await server.close();
      expect(closed).toHaveBeenCalledOnce();
    }
  });

  it("is not an unhandled rejection when a signal closes the server", async () => {
    const controller = new AbortController();
    const logger = recordingLogger();
    const server = make({ logger });
    server.handler.addHook("onClose", () => Promise.reject(fault));
    vi.spyOn(console, "log").mockImplementation(() => {});
    await server.listen(0, { host: "127.0.0.1", signal: controller.signal });
    const closed = once(server.handler.server, "close");
    controller.abort();
    await closed;
    await expect.poll(() => logger.entries).toHaveLength(1);
  });

  it("still runs the hooks when connections have used up the time", async () => {
    const started = vi.fn(() => new Promise<void>(() => {}));
    const server = make({ closeTimeoutMs: 50, hooks: { beforeEvaluate: started } });
    const closed = vi.fn();
    server.handler.addHook("onClose", async () => closed());
    const client = await open(server, await bind(server));
    const body = JSON.stringify({ input: { end: "ok" } });
    client.send(
      `POST /decisions/outcomes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => started).toHaveBeenCalled();
    await server.close();
    expect(closed).toHaveBeenCalledOnce();
    expect(await client.ended).toBe("");
  });
});

describe("close() and connections", () => {
  it("sends a long reply in full, however slowly it is read", async () => {
    const server = make(never);
    const length = 12_000_000;
    server.handler.get("/long", () => "x".repeat(length));
    const client = await open(server, await bind(server));
    client.socket.pause();
    const answered = once(server.handler.server, "request");
    client.send(get("/long"));
    await answered;
    const closing = server.close();
    // After several sweeps for idle connections.
    await sleep(300);
    client.socket.resume();
    const received = await client.ended;
    expect(statuses(received)).toEqual([200]);
    expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(length);
    await closing;
  });

  it("does not wait for a connection that was never used", async () => {
    const server = make(never);
    const client = await open(server, await bind(server));
    await server.close();
    expect(await client.ended).toBe("");
  });

  it.each([
    ["a GET", get("/health/live"), 200],
    ["a HEAD", "HEAD /decisions HTTP/1.1\r\nHost: a\r\n\r\n", 200],
    [
      "a body",
      'POST /decisions/outcomes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n{"input":{"end":"ok"}}  ',
      200,
    ],
    [
      "a body that is never read",
      "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789",
      404,
    ],
    ["requests in one piece", get("/") + get("/health/live") + get("/"), 200],
  ])("does not wait for a connection that is idle after %s", async (_what, request, status) => {
    const server = make(never);
    const client = await open(server, await bind(server));
    client.send(request);
    const count = request.split("HTTP/1.1").length - 1;
    await client.until(new RegExp(Array(count).fill(`HTTP/1.1 ${status}`).join("[\\s\\S]*")));
    await server.close();
    expect(statuses(await client.ended)).toEqual(Array.from({ length: count }, () => status));
  });

  it("replies to a request whose first half arrived earlier, on a new and on a reused connection", async () => {
    const server = make(never);
    const port = await bind(server);
    const [fresh, kept] = [await open(server, port), await open(server, port)];
    kept.send(get("/health/live"));
    await kept.until(/"live"/);
    const halves = [fresh, kept].map((client) => client.send("GET /decisions HTTP/1.1\r\nHo"));
    // Waits until the server has read it.
    await sleep(100);
    const closing = server.close();
    await sleep(300);
    for (const client of halves) client.send("st: a\r\n\r\n");
    expect(statuses(await fresh.ended)).toEqual([503]);
    expect(statuses(await kept.ended)).toEqual([200, 503]);
    await closing;
  });

  it("replies 400 to bytes that aren't HTTP while it closes", async () => {
    const server = make(never);
    const port = await bind(server);
    const clients = [await open(server, port), await open(server, port)];
    clients[1]?.send("GET / HT");
    await sleep(100);
    const closing = server.close();
    for (const client of clients) client.send("\u0016\u0003 no HTTP\r\n\r\n");
    for (const client of clients) expect(statuses(await client.ended)).toEqual([400]);
    await closing;
  });
});
