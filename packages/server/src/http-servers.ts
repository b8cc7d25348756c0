import { createServer, type RequestListener, Server } from "node:http";
import { Server as NetServer } from "node:net";
import { replyToBadRequest } from "./client-error.js";
import { PendingReplies } from "./pending-replies.js";
import { PipelineLimit } from "./pipeline-limit.js";
import { StalledReaders } from "./stalled-readers.js";

/** How long the parts of a request and its reply may take, in milliseconds. */
export interface Timeouts {
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly writeTimeoutMs: number;
}

/**
 * The sockets of one service. `localhost` is two addresses, and Fastify makes a server of its own for the second: this
 * gives both the same limits, and an end.
 */
export class HttpServers {
  readonly #timeouts: Timeouts;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #servers: Server[] = [];
  readonly #pending = new WeakMap<object, PendingReplies>();
  readonly #pipelines: PipelineLimit;
  readonly #readers: StalledReaders;

  constructor(timeouts: Timeouts, headers: Readonly<Record<string, string>>) {
    this.#timeouts = timeouts;
    this.#headers = headers;
    this.#pipelines = new PipelineLimit(this.#pending, headers);
    this.#readers = new StalledReaders(timeouts.writeTimeoutMs, this.#pending);
  }

  /** Makes one server; for Fastify's `serverFactory`. */
  create(handler: RequestListener): Server {
    const { requestTimeoutMs, keepAliveTimeoutMs } = this.#timeouts;
    const take: RequestListener = (request, response) => this.#pipelines.take(request, response, handler);
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
    this.#readers.watch(server);
    // An expectation that nobody knows is ignored, as HTTP allows; Node's own 417 has no request id and no body.
    server.on("checkExpectation", take);
    server.on("clientError", (error, socket) =>
      replyToBadRequest(error, socket, this.#pending.get(socket), this.#headers),
    );
    // Node's own `close` ends every connection without a request at once, also one whose request lies in the socket unread: its
    // client would see a reset. Here idle ones are ended by `closeIdle`, after what has arrived was read.
    server.close = (callback) => {
      NetServer.prototype.close.call(server, callback);
      return server;
    };
    this.#servers.push(server);
    return server;
  }

  /** Ends the connections on which nothing is going on. */
  closeIdle(): void {
    for (const server of this.#servers) server.closeIdleConnections();
  }

  /** Ends every connection, whatever is going on. */
  closeAll(): void {
    for (const server of this.#servers) server.closeAllConnections();
  }

  /** Resolves when the last connection has ended. Nothing new is taken from then on. */
  async closed(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    // Nothing is connected any more: Node's own `close` ends what looked after the connections.
    for (const server of this.#servers) Server.prototype.close.call(server);
  }
}
