import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is known of one connection. */
interface Connection {
  /** Requests that are not read in full, and replies that the system has not taken in full. */
  pending: number;
  /** How much had been read when nothing was pending any more. What came since begins the next request. */
  settledBytes: number;
  /** How much had been read when a sweep found the connection idle. */
  idleAtBytes: number | undefined;
  /** Called once nothing is pending any more. */
  onSettled: (() => void) | undefined;
}

/**
 * The open connections of a service, and what is going on on each. Node can end idle connections too, but it leaves those open
 * that never had a request, and takes one for idle whose reply is still leaving.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();

  /** Looks after the connections of a server. */
  watch(server: Server): void {
    server.on("connection", (socket) => {
      this.#open.set(socket, { pending: 0, settledBytes: 0, idleAtBytes: undefined, onSettled: undefined });
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  /** Makes a listener that notes each request and its reply before `handler` gets them. */
  tracking(handler: RequestListener): RequestListener {
    return (request, response) => {
      this.#began(request, response);
      handler(request, response);
    };
  }

  /** Calls back once every reply on a connection has left; never, if the connection ends before. */
  whenSettled(socket: Socket, callback: () => void): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    if (connection.pending === 0) callback();
    else connection.onSettled = callback;
  }

  /**
   * Ends the connections that the sweep before found idle, too: a request may be on its way on a connection that was just
   * opened, or that got its last reply just now.
   */
  endIdle(): void {
    for (const [socket, connection] of this.#open) {
      const { bytesRead } = socket;
      const idle =
        connection.pending === 0 && connection.settledBytes === bytesRead && socket.writableLength === 0;
      if (idle && connection.idleAtBytes === bytesRead) socket.destroySoon();
      connection.idleAtBytes = idle ? bytesRead : undefined;
    }
  }

  /** Ends every connection, whatever is going on. */
  endAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #began(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    connection.pending += 2;
    const settle = (): void => {
      connection.pending -= 1;
      if (connection.pending > 0) return;
      connection.settledBytes = socket.bytesRead;
      connection.onSettled?.();
    };
    request.once("close", settle);
    response.once("close", settle);
  }
}
