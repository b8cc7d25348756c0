import { once } from "node:events";
import { createServer, type RequestListener, Server } from "node:http";
import { createServer as createNetServer, Server as NetServer, type Socket } from "node:net";
import { errorCode } from "../base/values.js";
import type { ReplyTeller } from "../reply/tell-replies.js";
import { type Connection, Connections } from "./connection.js";
import { refuseTunnel, replyToClientError, takeRequests } from "./take-requests.js";

/*
 * The one place that depends on how Node closes an HTTP server: `http.Server.close` is `net.Server.close` plus ending idle
 * connections and the timer that checks for late requests. docs/adr/0008 says why the server needs the parts.
 * Checked with Node 20.20 and 24, by test/closing.test.ts and apps/demo/test/robustness/closing.test.ts.
 */

/** Stops accepting connections and resolves when the last open one has ended. Ends none itself. */
function closeWhenEmpty(server: NetServer): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
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

/** Node's HTTP server of one service, which may listen on a second address. */
export class HttpServers {
  readonly connections: Connections;
  readonly #server: Server;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #replied: ReplyTeller | undefined;
  readonly #readers: StalledReaders;
  #second: NetServer | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #drained: Promise<number> | undefined;

  constructor(
    { requestTimeoutMs, keepAliveTimeoutMs, maxConnectionAgeMs, writeTimeoutMs }: Timeouts,
    headers: Readonly<Record<string, string>>,
    replied?: ReplyTeller | undefined,
  ) {
    this.#headers = headers;
    this.#replied = replied;
    this.connections = new Connections(maxConnectionAgeMs);
    this.#readers = new StalledReaders(writeTimeoutMs, this.connections);
    this.#server = createServer({
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Node's refusal of a request without `Host` has no request id and no body. A hook refuses it instead.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.max(20, Math.min(1000, requestTimeoutMs / 4)),
    });
    this.connections.watch(this.#server);
    this.#readers.watch(this.#server);
    // Fastify calls this. Node's own would lose requests that are not read yet, and replies that are not sent in full.
    this.#server.close = (callback) => {
      void this.drain().then(() => callback?.());
      return this.#server;
    };
  }

  /** Hands the server's requests to Fastify; for its `serverFactory`. */
  create(handler: RequestListener): Server {
    const server = this.#server;
    const headers = this.#headers;
    const { connections } = this;
    const take = takeRequests(connections, headers, handler, this.#replied);
    server.on("request", take);
    // An unknown expectation is ignored, as HTTP allows. Node's 417 has no request id and no body.
    server.on("checkExpectation", take);
    server.on("clientError", (error, socket) =>
      replyToClientError(error, socket, connections.of(socket), headers, this.#replied),
    );
    server.on("connect", ({ socket }) => {
      const connection = connections.of(socket);
      if (connection === undefined) return;
      refuseTunnel(connection, headers);
      this.#replied?.({ route: undefined, method: "CONNECT", status: 405, count: 1 });
    });
    return server;
  }

  /**
   * Listens on a second address, whose connections the server takes as its own.
   *
   * @returns what listens there, or `undefined` if the machine has no such address
   */
  async listenToo(port: number, host: string): Promise<NetServer | undefined> {
    // As Node's HTTP server does: a client may finish sending before it has its reply, and small replies leave immediately.
    const options = { allowHalfOpen: true, noDelay: true };
    const second = createNetServer(options, (socket) => this.#server.emit("connection", socket));
    try {
      second.listen(port, host);
      await once(second, "listening");
    } catch (error) {
      if (isNoAddress(error)) return undefined;
      throw error;
    }
    this.#second = second;
    return second;
  }

  /** Releases the address that {@link listenToo} bound. */
  async stopListeningToo(): Promise<void> {
    const second = this.#second;
    this.#second = undefined;
    if (second === undefined) return;
    this.connections.endAll();
    await closeWhenEmpty(second);
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
    const second = this.#second;
    await Promise.all([closeWhenEmpty(this.#server), second && closeWhenEmpty(second)]);
    clearInterval(this.#sweep);
    this.#readers.stop();
    // No connection is open any more. This stops Node's timer for late requests.
    Server.prototype.close.call(this.#server);
    return performance.now();
  }
}

/** Whether the machine lacks the address, or its whole family. */
function isNoAddress(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}

/** How many times in a row a connection must be found without progress. */
const patience = 4;

/**
 * Ends connections whose clients have stopped reading.
 *
 * `server.timeout` would do this too, but it moves a timer twice for every request and costs a tenth of the throughput.
 * Instead, a sweep looks for connections with unsent output and sets the timer of only those. A socket's timer sees progress
 * within one large write, which no property of a stream shows, so a client that reads slowly is kept. The timer must expire
 * several times in a row without progress: a late event loop must not cut off clients that it kept waiting itself.
 */
class StalledReaders {
  readonly #stepMs: number;
  readonly #connections: Connections;
  #sweep: NodeJS.Timeout | undefined;

  constructor(writeTimeoutMs: number, connections: Connections) {
    this.#stepMs = Math.max(20, Math.floor(writeTimeoutMs / patience));
    this.#connections = connections;
  }

  /** Handles the timeouts of a server, and starts to sweep when it listens. */
  watch(server: Server): void {
    server.on("listening", () => {
      this.#sweep ??= setInterval(() => this.#arm(), this.#stepMs).unref();
    });
    // With a listener, Node leaves ending the connection to that listener.
    server.on("timeout", (socket) => this.#onTimeout(server, socket));
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #arm(): void {
    for (const connection of this.#connections.all()) {
      const { socket } = connection;
      if (socket.writableLength === 0 || socket.timeout === this.#stepMs) continue;
      connection.stall = undefined;
      socket.setTimeout(this.#stepMs);
    }
  }

  #onTimeout(server: Server, socket: Socket): void {
    const connection = this.#connections.of(socket);
    if (connection !== undefined && socket.writableLength > 0) this.#strike(connection);
    // The client has read everything so far; the service is still preparing the rest.
    else if (server.timeout === 0 && connection?.owesReply === true) socket.setTimeout(0);
    else socket.destroy();
  }

  #strike(connection: Connection): void {
    const { socket, stall } = connection;
    const nowMs = performance.now();
    // A timer this late was either pushed back by progress or had no chance to see any.
    const isInARow = stall !== undefined && nowMs - stall.atMs < 2 * this.#stepMs;
    const count = isInARow ? stall.count + 1 : 1;
    if (count >= patience) {
      // A reset also frees what the kernel still holds for this client.
      socket.resetAndDestroy();
      return;
    }
    connection.stall = { count, atMs: nowMs };
    socket.setTimeout(this.#stepMs);
  }
}
