import type { Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Connection } from "./connection.js";

/**
 * The open connections of a service, on all of its servers. Node can end idle connections too, but it keeps those that never
 * had a request, and considers one idle whose reply is still leaving.
 */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  readonly #maxAgeMs: number;

  /** @param maxAgeMs - how old a connection may become */
  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Adds the connections of a server as they are opened. */
  watch(server: Server): void {
    server.on("connection", (socket) => {
      const connection = new Connection(socket, performance.now() + lifeMs(this.#maxAgeMs));
      this.#open.set(socket, connection);
      socket.once("close", () => {
        this.#open.delete(socket);
        connection.closed();
      });
    });
  }

  /** The connection of a socket; absent once it has closed, and for injected requests. */
  of(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  all(): Iterable<Connection> {
    return this.#open.values();
  }

  /** {@link Connection.whenGone}, for injected requests too. */
  whenGone(response: ServerResponse, callback: () => void): void {
    const connection = this.of(response.req.socket);
    if (connection === undefined) response.once("close", callback);
    else connection.whenGone(response, callback);
  }

  /** Ends the connections that were idle at the previous call too. */
  endIdle(): void {
    for (const connection of this.all()) connection.endIfIdle();
  }

  /** Ends every connection, even with requests in progress. */
  endAll(): void {
    for (const { socket } of this.all()) socket.destroy();
  }
}

/** Between three quarters and the whole: connections that were opened together, after a restart, do not end together. */
function lifeMs(maxAgeMs: number): number {
  return maxAgeMs * (0.75 + Math.random() / 4);
}
