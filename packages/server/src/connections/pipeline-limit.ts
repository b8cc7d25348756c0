import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { errorBody, requestIdFrom, tableReply } from "@decern/core/host";
import { JSON_TYPE } from "../replies/send.js";
import type { PendingReplies } from "./pending-replies.js";

/** How many requests of one connection may be waiting for an answer. Clients pipeline far fewer. */
export const maxUnanswered = 1000;

/**
 * Bounds what one connection can make the service hold. Node stops reading while replies wait to be sent, but not while
 * they wait for a hook. Without a limit, a client could then pipeline requests without end.
 */
export class PipelineLimit {
  readonly #pending: WeakMap<object, PendingReplies>;
  readonly #headers: Readonly<Record<string, string>>;
  /** How many requests came after the one that was refused. They get no answer. */
  readonly #ignored = new WeakMap<object, number>();

  constructor(pending: WeakMap<object, PendingReplies>, headers: Readonly<Record<string, string>>) {
    this.#pending = pending;
    this.#headers = headers;
  }

  /** Hands a request to its handler. The first one above the limit is refused, which ends its connection. */
  take(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const { socket } = request;
    const pending = this.#pending.get(socket);
    pending?.add(response);
    const ignored = this.#ignored.get(socket);
    if (ignored !== undefined) {
      this.#ignored.set(socket, ignored + 1);
      if (ignored > maxUnanswered) socket.destroy();
    } else if (pending?.areMoreThan(maxUnanswered) === true) {
      this.#ignored.set(socket, 0);
      this.#refuse(request, response);
    } else {
      handler(request, response);
    }
  }

  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const reply = tableReply("OVERLOADED");
    const body = errorBody(reply);
    response.writeHead(reply.status, {
      ...this.#headers,
      "x-request-id": requestIdFrom(request.headers["x-request-id"]),
      "content-type": JSON_TYPE,
      "content-length": Buffer.byteLength(body),
      "retry-after": "1",
      connection: "close",
    });
    response.end(body);
  }
}
