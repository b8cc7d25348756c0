import { once } from "node:events";
import { createServer, type RequestListener, Server } from "node:http";
import { Server as NetServer } from "node:net";
import { replyToBadRequest } from "./client-error.js";
import { Connections } from "./connections.js";
import { PendingReplies } from "./pending-replies.js";
import { PipelineLimit } from "./pipeline-limit.js";
import { refuseTunnel } from "./refuse-tunnel.js";
import { StalledReaders } from "./stalled-readers.js";

/** How long the parts of a request and its reply may take, in milliseconds. */
export interface Timeouts {
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly writeTimeoutMs: number;
}

/** How often idle connections are looked for while the service ends, in milliseconds. */
export const sweepMs = 50;

/** The sockets of one service. `localhost` is two addresses with a server each: this gives both the same limits, and an end. */
export class HttpServers {
  readonly #timeouts: Timeouts;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #servers: Server[] = [];
  readonly #pending = new WeakMap<object, PendingReplies>();
  readonly #pipelines: PipelineLimit;
  readonly #readers: StalledReaders;
  readonly #connections = new Connections();
  #handler: RequestListener | undefined;
  #sweep: NodeJS.Timeout | undefined;
  #drained: Promise<number> | undefined;

  constructor(timeouts: Timeouts, headers: Readonly<Record<string, string>>) {
    this.#timeouts = timeouts;
    this.#headers = headers;
    this.#pipelines = new PipelineLimit(this.#pending, headers);
    this.#readers = new StalledReaders(timeouts.writeTimeoutMs, this.#pending);
  }

  /** Makes one server; for Fastify's `serverFactory`. */
  create(handler: RequestListener): Server {
    this.#handler = handler;
    const { requestTimeoutMs, keepAliveTimeoutMs } = this.#timeouts;
    const take = this.#connections.tracking((request, response) =>
      this.#pipelines.take(request, response, handler),
    );
    const server = createServer(
      {
        requestTimeout: requestTimeoutMs,
        headersTimeout: requestTimeoutMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        // Node's own refusal of a request without `Host` has no request id and no body; ours is a hook.
        requireHostHeader: false,
        connectionsCheckingInterval: Math.max(20, Math.min(1000, requestTimeoutMs / 4)),
      },
      take,
    );
    server.on("connection", (socket) => this.#pending.set(socket, new PendingReplies()));
    this.#connections.watch(server);
    this.#readers.watch(server);
    // An expectation that nobody knows is ignored, as HTTP allows; Node's own 417 has no request id and no body.
    server.on("checkExpectation", take);
    server.on("clientError", (error, socket) =>
      replyToBadRequest(error, socket, this.#pending.get(socket), this.#headers),
    );
    server.on("connect", (request) =>
      refuseTunnel(request, this.#connections, requestTimeoutMs, this.#headers),
    );
    // Node's own `close` ends every connection without a request at once, also one whose request lies in the socket unread, and
    // one whose reply is still leaving. Fastify calls this when it is closed.
    server.close = (callback) => {
      void this.drain().then(() => callback?.());
      return server;
    };
    this.#servers.push(server);
    return server;
  }

  /**
   * Binds a second address, with the same handler.
   *
   * @returns the server, or nothing where the machine has no such address
   */
  async listenToo(port: number, host: string): Promise<Server | undefined> {
    const [main] = this.#servers;
    if (main === undefined || this.#handler === undefined) return undefined;
    const server = this.create(this.#handler);
    // Only where the host takes upgrades at all: with a listener, Node leaves every upgrade request to it.
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

  /** Gives the address of {@link listenToo} up. */
  async stopListening(server: Server): Promise<void> {
    this.#forget(server);
    Server.prototype.close.call(server);
    server.closeAllConnections();
    await once(server, "close");
  }

  /** Begins to look for connections on which nothing is going on, and to end them. */
  sweep(): void {
    // After the poll phase: what has arrived by then has been read, and its connection is not idle.
    this.#sweep ??= setInterval(() => setImmediate(() => this.#connections.endIdle()), sweepMs);
  }

  /**
   * Takes no more connections, and ends those there are as they fall idle.
   *
   * @returns when the last one had ended, as `performance.now()` has it
   */
  drain(): Promise<number> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  /** Takes no more connections, and ends those there are, whatever is going on. */
  endAll(): Promise<number> {
    const drained = this.drain();
    this.#connections.endAll();
    return drained;
  }

  async #drain(): Promise<number> {
    this.sweep();
    const close = (server: Server): Promise<void> =>
      new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    await Promise.all(this.#servers.map(close));
    clearInterval(this.#sweep);
    // Nothing is connected any more: Node's own `close` ends what looked after the connections.
    for (const server of this.#servers) Server.prototype.close.call(server);
    return performance.now();
  }

  #forget(server: Server): void {
    this.#servers.splice(this.#servers.indexOf(server), 1);
  }
}

/** Whether the machine has no such address, or no such family of addresses. */
function isNoAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT")
  );
}
