import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { PendingReplies } from "./pending-replies.js";

/** How many times in a row a connection must be found without progress. */
const patience = 4;

interface Strikes {
  readonly count: number;
  readonly atMs: number;
}

/**
 * Ends connections whose clients have stopped reading.
 *
 * `server.timeout` would do this too, but it moves a timer twice for every request and costs a tenth of the throughput.
 * Instead, a sweep looks for connections with unsent output and sets the timer of only those. A socket's timer sees progress
 * within one large write, which no property of a stream shows, so a client that reads slowly is kept. The timer must expire
 * several times in a row without progress: a late event loop must not cut off clients that it kept waiting itself.
 */
export class StalledReaders {
  readonly #stepMs: number;
  readonly #pending: WeakMap<object, PendingReplies>;
  readonly #strikes = new WeakMap<Socket, Strikes>();

  constructor(writeTimeoutMs: number, pending: WeakMap<object, PendingReplies>) {
    this.#stepMs = Math.max(20, Math.floor(writeTimeoutMs / patience));
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
    // With a listener, Node leaves ending the connection to that listener.
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
    // The client has read everything so far; the service is still preparing the rest.
    else if (server.timeout === 0 && this.#pending.get(socket)?.any === true) socket.setTimeout(0);
    else socket.destroy();
  }

  #strike(socket: Socket): void {
    const nowMs = performance.now();
    const before = this.#strikes.get(socket);
    // A timer this late was either pushed back by progress or had no chance to see any.
    const inARow = before !== undefined && nowMs - before.atMs < 2 * this.#stepMs;
    const count = inARow ? before.count + 1 : 1;
    if (count >= patience) {
      // A reset also frees what the kernel still holds for this client.
      socket.resetAndDestroy();
      return;
    }
    this.#strikes.set(socket, { count, atMs: nowMs });
    socket.setTimeout(this.#stepMs);
  }
}
