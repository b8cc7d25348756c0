import { once } from "node:events";
import { createServer, type RequestListener, Server } from "node:http";
import { Server as NetServer } from "node:net";
import { errorCode } from "../base/values.js";
import type { ReplyTeller } from "../reply/tell-replies.js";
import { Connections } from "./connection.js";
import { refuseTunnel, replyToClientError } from "./refusals.js";
import { StalledReaders } from "./stalled-readers.js";
import { takeRequests } from "./take-requests.js";

/*
 * The one place that depends on how Node closes an HTTP server: `http.Server.close` is `net.Server.close` plus ending idle
 * connections and the timer that checks for late requests. docs/adr/0008 says why the server needs the parts.
 * Checked with Node 20.20 and 24, by test/closing.test.ts and apps/demo/test/robustness/closing.test.ts.
 */

/**
 * Makes `server.close`, which Fastify calls, wait for `drain` instead. Node's own would at once end every connection without
 * a request, including one whose request lies unread in the socket, and one whose reply is still leaving.
 */
function closeByDraining(server: Server, drain: () => Promise<unknown>): void {
  server.close = (callback) => {
    void drain().then(() => callback?.());
    return server;
  };
}

/** Stops accepting connections and resolves when the last open one has ended. Ends none itself. */
function closeWhenEmpty(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

/** Closes a server as Node does, with its idle connections and its timer. */
function closeAtOnce(server: Server): void {
  Server.prototype.close.call(server);
}

/** How long the parts of a request and its reply may take, in milliseconds. */
interface Timeouts {
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxConnectionAgeMs: number;
  readonly writeTimeoutMs: number;
}

/** How often to look for idle connections while the service closes, in milliseconds. */
export const sweepMs = 50;

/** Node's HTTP servers of one service: one per address, and `localhost` is two. They share their limits and their end. */
export class HttpServers {
  readonly connections: Connections;
  readonly #timeouts: Timeouts;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #replied: ReplyTeller | undefined;
  readonly #servers: Server[] = [];
  readonly #readers: StalledReaders;
  #handler: RequestListener | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #drained: Promise<number> | undefined;

  constructor(
    timeouts: Timeouts,
    headers: Readonly<Record<string, string>>,
    replied?: ReplyTeller | undefined,
  ) {
    this.#replied = replied;
    this.#timeouts = timeouts;
    this.#headers = headers;
    this.connections = new Connections(timeouts.maxConnectionAgeMs);
    this.#readers = new StalledReaders(timeouts.writeTimeoutMs, this.connections);
  }

  /** Makes one server; for Fastify's `serverFactory`. */
  create(handler: RequestListener): Server {
    this.#handler = handler;
    const { requestTimeoutMs, keepAliveTimeoutMs } = this.#timeouts;
    const { connections } = this;
    const take = takeRequests(connections, this.#headers, handler, this.#replied);
    const server = createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: requestTimeoutMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        // Node's refusal of a request without `Host` has no request id and no body. A hook refuses it instead.
        requireHostHeader: false,
        connectionsCheckingInterval: Math.max(20, Math.min(1000, requestTimeoutMs / 4)),
      },
      take,
    );
    connections.watch(server);
    this.#readers.watch(server);
    // An unknown expectation is ignored, as HTTP allows. Node's 417 has no request id and no body.
    server.on("checkExpectation", take);
    server.on("clientError", (error, socket) =>
      replyToClientError(error, socket, connections.of(socket), this.#headers, this.#replied),
    );
    server.on("connect", (request) => {
      const connection = connections.of(request.socket);
      if (connection === undefined) return;
      refuseTunnel(request, connection, requestTimeoutMs, this.#headers);
      this.#replied?.({ route: undefined, method: "CONNECT", status: 405, count: 1 });
    });
    closeByDraining(server, () => this.drain());
    this.#servers.push(server);
    return server;
  }

  /**
   * Binds a second address, with the same handler.
   *
   * @returns the server, or `undefined` if the machine has no such address
   */
  async listenToo(port: number, host: string): Promise<Server | undefined> {
    const [main] = this.#servers;
    if (main === undefined || this.#handler === undefined) return undefined;
    const server = this.create(this.#handler);
    // Only if the host handles upgrades at all: with a listener, Node leaves every upgrade request to it.
    if (main.listenerCount("upgrade") > 0) {
      server.on("upgrade", (...upgrade) => main.emit("upgrade", ...upgrade));
    }
    try {
      server.listen(port, host);
      await once(server, "listening");
      return server;
    } catch (error) {
      this.#forget(server);
      if (isNoAddress(error)) return undefined;
      throw error;
    }
  }

  /** Releases the address that {@link listenToo} bound. */
  async stopListening(server: Server): Promise<void> {
    this.#forget(server);
    closeAtOnce(server);
    server.closeAllConnections();
    await once(server, "close");
  }

  /** Starts to end idle connections. */
  sweep(): void {
    // After the poll phase: what has arrived by then has been read, and its connection is not idle.
    this.#sweep ??= setInterval(() => setImmediate(() => this.connections.endIdle()), sweepMs);
  }

  /**
   * Accepts no more connections, and ends the open ones as they become idle.
   *
   * @returns when the last one ended, in the time of `performance.now()`
   */
  drain(): Promise<number> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** Accepts no more connections, and ends the open ones, even with requests in progress. */
  endAll(): Promise<number> {
    const drained = this.drain();
    this.connections.endAll();
    return drained;
  }

  async #drain(): Promise<number> {
    this.sweep();
    await Promise.all(this.#servers.map(closeWhenEmpty));
    clearInterval(this.#sweep);
    this.#readers.stop();
    // No connection is open any more. This stops Node's timer for late requests.
    for (const server of this.#servers) closeAtOnce(server);
    return performance.now();
  }

  #forget(server: Server): void {
    this.#servers.splice(this.#servers.indexOf(server), 1);
  }
}

/** Whether the machine lacks the address, or its whole family. */
function isNoAddress(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}
