import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Connections } from "./connection.js";

/**
 * Ends connections whose clients have stopped reading.
 *
 * `server.timeout` would also end those whose reply takes long to prepare. Instead, a sweep looks for connections with unsent
 * output and sets the timer of only those. A socket's timer sees progress within one large write, which no property of a
 * stream shows, so a client that reads slowly is kept.
 */
export class StalledReaders {
  readonly #timeoutMs: number;
  readonly #connections: Connections;
  #sweep: NodeJS.Timeout | undefined;

  constructor(writeTimeoutMs: number, connections: Connections) {
    this.#timeoutMs = writeTimeoutMs;
    this.#connections = connections;
  }

  /** Handles the timeouts of a server, and starts to sweep when it listens. */
  watch(server: Server): void {
    server.on("listening", () => {
      this.#sweep ??= setInterval(() => this.#arm(), Math.max(20, this.#timeoutMs / 4)).unref();
    });
    // With a listener, Node leaves ending the connection to that listener.
    server.on("timeout", (socket) => this.#onTimeout(server, socket));
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #arm(): void {
    for (const { socket } of this.#connections.all()) {
      if (socket.writableLength > 0 && socket.timeout !== this.#timeoutMs) socket.setTimeout(this.#timeoutMs);
    }
  }

  #onTimeout(server: Server, socket: Socket): void {
    // A reset also frees what the kernel still holds for this client.
    if (socket.writableLength > 0) socket.resetAndDestroy();
    // The client has read everything so far; the service is still preparing the rest.
    else if (server.timeout === 0 && this.#connections.of(socket)?.owesReply === true) socket.setTimeout(0);
    else socket.destroy();
  }
}
