import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { PendingReplies } from "./pending-replies.js";

/** How many times in a row a connection has to be found without progress. */
const patience = 4;

interface Strikes {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Ends connections whose clients have stopped to read.
 *
 * `server.timeout` would do it too, and cost every request two moves of a timer, a tenth of the throughput. So a sweep looks
 * for connections with output that waits, and sets the timer of those alone. A socket's timer knows progress within one
 * large write, which no property of a stream shows: a client that reads slowly is kept. It has to run out several times
 * without progress between, so that an event loop that was late does not cut those whom it has kept waiting itself.
 */
export class StalledReaders {
  readonly #stepMs: number;
  readonly #pending: WeakMap<object, PendingReplies>;
  readonly #strikes = new WeakMap<Socket, Strikes>();

  constructor(writeTimeoutMs: number, pending: WeakMap<object, PendingReplies>) {
    this.#stepMs = Math.max(1, Math.floor(writeTimeoutMs / patience));
    this.#pending = pending;
  }

  /** Looks after the connections of a server for as long as it listens. */
  watch(server: Server): void {
    const open = new Set<Socket>();
    server.on("connection", (socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    });
    server.on("listening", () => {
      const sweep = setInterval(() => this.#sweep(open), this.#stepMs);
      sweep.unref();
      server.once("close", () => clearInterval(sweep));
    });
    // With a listener, Node leaves it to the listener to end the connection.
    server.on("timeout", (socket) => this.#onTimeout(server, socket));
  }

  #sweep(open: Iterable<Socket>): void {
    for (const socket of open) {
      if (socket.writableLength === 0 || socket.timeout === this.#stepMs) continue;
      this.#strikes.delete(socket);
      socket.setTimeout(this.#stepMs);
    }
  }

  #onTimeout(server: Server, socket: Socket): void {
    if (socket.writableLength > 0) this.#strike(socket);
    // All was read so far; the service itself takes its time with the rest.
    else if (server.timeout === 0 && this.#pending.get(socket)?.any === true) socket.setTimeout(0);
    else socket.destroy();
  }

  #strike(socket: Socket): void {
    const nowMs = performance.now();
    const before = this.#strikes.get(socket);
    // A timer that came twice as late was moved on by progress, or had no chance to see any.
    const inARow = before !== undefined && nowMs - before.atMs < 2 * this.#stepMs;
    const count = inARow ? before.count + 1 : 1;
    if (count >= patience) {
      // Whoever does not read would keep what waits in the kernel, too.
      socket.resetAndDestroy();
      return;
    }
    this.#strikes.set(socket, { count, atMs: nowMs });
    socket.setTimeout(this.#stepMs);
  }
}
