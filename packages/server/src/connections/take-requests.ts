import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { requestIdFrom } from "@decern/core/host";
import type { ReplyTeller } from "../reply/tell-replies.js";
import type { Connection, Connections } from "./connection.js";
import { lastReply } from "./refusals.js";

/** How many requests of one connection may wait for a reply. Clients pipeline far fewer. */
export const maxUnanswered = 1000;

/**
 * Makes the listener that takes requests from Node: it notes each on its connection and hands it to Fastify.
 *
 * The first request above {@link maxUnanswered} is refused, which ends its connection. Node stops reading while replies wait
 * to be sent, but not while they wait for a hook. Without a limit, a client could then pipeline requests without end.
 */
export function takeRequests(
  connections: Connections,
  headers: Readonly<Record<string, string>>,
  handler: RequestListener,
  replied?: ReplyTeller | undefined,
): RequestListener {
  return (request, response) => {
    const connection = connections.of(request.socket);
    if (connection === undefined) {
      handler(request, response);
      return;
    }
    connection.begin(response);
    if (connection.ignored !== undefined) {
      // What follows the last request gets no reply.
      connection.ignored += 1;
      if (connection.ignored > maxUnanswered) request.socket.destroy();
    } else if (connection.hasUnansweredOver(maxUnanswered)) {
      connection.ignored = 0;
      const reply = lastReply("OVERLOADED", { ...headers, "retry-after": "1" }, requestIdOf(request));
      response.writeHead(reply.status, reply.headers).end(reply.body);
      replied?.({ route: undefined, method: request.method, status: reply.status, count: 1 });
    } else if (performance.now() < connection.endsAtMs) {
      handler(request, response);
    } else {
      // Requests that arrived together are taken one after the other, all before this: none of them goes unanswered.
      setImmediate(() => {
        if (request.socket.destroyed) return;
        endAfter(response, connection);
        handler(request, response);
      });
    }
  };
}

/** The caller's id if it is valid, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  return requestIdFrom(headers["x-request-id"]);
}

/** Makes a reply the last one of its connection, unless more requests have arrived. */
function endAfter(response: ServerResponse, connection: Connection): void {
  if (connection.ignored !== undefined || !connection.isLatest(response)) return;
  connection.ignored = 0;
  response.setHeader("connection", "close");
}
