import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connection, Connections } from "./connection.js";

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
export class StalledReaders {
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
