import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * One connection: the requests on it, and the replies that it still owes its client. Node sends pipelined replies in the
 * order of their requests, so once the last one has left, all have.
 */
export class Connection {
  readonly socket: Socket;
  /** When its next reply ends it, in the time of `performance.now()`. */
  readonly endsAtMs: number;
  /** How many requests came after the one that was chosen to be the last. Set once it was. */
  ignored: number | undefined;
  /** Set while the client is suspected of having stopped reading. */
  stall: Stall | undefined;
  /** Requests that are not read in full, or whose reply the system has not taken in full. */
  readonly #unsettled = new Set<ServerResponse>();
  /** How many bytes had been read when the last request settled. Later bytes belong to the next request. */
  #settledBytes = 0;
  /** How many bytes had been read when the previous sweep found the connection idle. */
  #idleAtBytes: number | undefined;
  #unanswered: ServerResponse[] = [];
  #last: ServerResponse | undefined;
  #stream: ServerResponse | undefined;
  #isEnding = false;

  constructor(socket: Socket, endsAtMs: number) {
    this.socket = socket;
    this.endsAtMs = endsAtMs;
  }

  /** Notes a request by its response. */
  begin(response: ServerResponse): void {
    while (this.#unanswered[0]?.writableEnded === true) this.#unanswered.shift();
    this.#unanswered.push(response);
    this.#last = response;
    this.#unsettled.add(response);
    // Not `once`, which costs a wrapper and its removal: it may come again after {@link closed}, which changes nothing.
    response.on("close", () => this.#replyClosed(response));
  }

  /** Whether more than `limit` requests have no reply yet. A reply that is complete but not sent counts. */
  hasUnansweredOver(limit: number): boolean {
    if (this.#unanswered.length <= limit) return false;
    this.#unanswered = this.#unanswered.filter((response) => !response.writableEnded);
    return this.#unanswered.length > limit;
  }

  /** Whether no request has come after this one. */
  isLatest(response: ServerResponse): boolean {
    return this.#last === response;
  }

  /** Lets a request take any time to arrive: its reader has its own time limit. */
  allowStream(response: ServerResponse): void {
    this.#stream = response;
  }

  /** Whether the request that is still arriving may take any time. */
  get isStreaming(): boolean {
    const arriving = this.#incomplete;
    return arriving !== undefined && arriving === this.#stream;
  }

  /** Whether any reply is not sent in full. */
  get owesReply(): boolean {
    return this.#last?.writableFinished === false;
  }

  /**
   * Call this when the socket has closed. Node then emits `close` on the reply that was being sent, but on none that is queued
   * behind it.
   */
  closed(): void {
    setImmediate(() => {
      for (const response of this.#unsettled) {
        if (!response.closed) response.destroy().emit("close");
      }
      this.#unsettled.clear();
    });
  }

  /**
   * Ends the connection if the previous sweep found it idle too: a request may be on its way on a connection that was just
   * opened, or that has just received its last reply.
   */
  endIfIdle(): void {
    const { bytesRead, writableLength } = this.socket;
    const isIdle = this.#unsettled.size === 0 && this.#settledBytes === bytesRead && writableLength === 0;
    if (isIdle && this.#idleAtBytes === bytesRead) this.socket.destroySoon();
    this.#idleAtBytes = isIdle ? bytesRead : undefined;
  }

  /**
   * Ends the connection with a reply that no route makes. The reply follows all pending ones: sent earlier, it would be taken
   * for the reply to another request, or land in the middle of one. A request that already has a reply does not get a second.
   */
  endWith(text: string): void {
    // Node reports every further piece that it cannot read, and repeats its report of a late request.
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { socket } = this;
    socket.pause();
    this.#whenCompleteRequestsAreAnswered(() => {
      const reply = this.#incomplete;
      if (reply === undefined || !reply.headersSent) {
        // The socket is not writable if the last reply said `Connection: close`.
        if (socket.writable) socket.end(text, () => socket.destroy());
      } else if (reply.writableEnded && !reply.writableFinished) {
        reply.once("finish", () => socket.destroy());
      } else {
        socket.destroy();
      }
    });
  }

  /** The reply to the request that is still arriving. */
  get #incomplete(): ServerResponse | undefined {
    return this.#last?.req.complete === false ? this.#last : undefined;
  }

  /**
   * Calls back once every request that arrived in full has its reply, and Node has ended the connection if one of them was
   * to be the last. Does not call back if the connection breaks first.
   */
  #whenCompleteRequestsAreAnswered(callback: () => void): void {
    const last = [...this.#unsettled].findLast(({ req }) => req.complete);
    // A finished reply may not have emitted `finish` yet, and Node ends the connection when it does.
    if (last === undefined || last.writableFinished) setImmediate(callback);
    else last.once("finish", callback);
  }

  #replyClosed(response: ServerResponse): void {
    const { req: request } = response;
    // A request can be refused before it has arrived.
    if (request.complete || request.closed) this.#settle(response);
    else request.once("close", () => this.#settle(response));
  }

  #settle(response: ServerResponse): void {
    this.#unsettled.delete(response);
    if (this.#unsettled.size === 0) this.#settledBytes = this.socket.bytesRead;
    // An idle connection must not keep what its last request has used, such as decisions that were replaced.
    if (!response.writableFinished || !response.req.complete) return;
    if (this.#last === response) this.#last = undefined;
    if (this.#stream === response) this.#stream = undefined;
    if (this.#unanswered[0] === response) this.#unanswered.shift();
  }
}

/** How many times in a row a connection made no progress, and when it was last checked. */
interface Stall {
  readonly count: number;
  readonly atMs: number;
}

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
