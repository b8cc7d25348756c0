import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@decern/core";
import { errorBody, requestIdFrom, tableReply } from "@decern/core/host";
import { errorCode } from "../base/values.js";
import { foreignErrorCode } from "../reply/errors.js";
import { JSON_TYPE } from "../reply/send.js";
import type { ReplyTeller } from "../reply/tell-replies.js";
import type { Connection, Connections } from "./connection.js";

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

/** A reply of the error table that ends its connection. */
function lastReply(
  code: ErrorCode,
  headers: Readonly<Record<string, string>>,
  requestId = requestIdFrom(undefined),
) {
  const reply = tableReply(code);
  const body = errorBody(reply);
  const all = {
    ...headers,
    "x-request-id": requestId,
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  return { status: reply.status, headers: all, body };
}

/** The same as HTTP text, for a request that has no response object. */
function rawReply(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const reply = lastReply(code, headers);
  const head = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${head.join("")}\r\n${reply.body}`;
}

/**
 * Replies to what Node cannot read as HTTP, which never reaches a route, after the replies to the requests before it, and
 * ends the connection. docs/adr/0009 says why the server does this itself.
 */
export function replyToClientError(
  error: Error,
  socket: Duplex,
  connection: Connection | undefined,
  headers: Readonly<Record<string, string>>,
  replied: ReplyTeller | undefined,
): void {
  // The reader of the body has its own time limit.
  if (errorCode(error) === "ERR_HTTP_REQUEST_TIMEOUT" && connection?.isStreaming === true) return;
  if (errorCode(error) === "ECONNRESET" || !socket.writable || connection === undefined) {
    socket.destroy(error);
    return;
  }
  const code = foreignErrorCode(error) ?? "BAD_REQUEST";
  connection.endWith(rawReply(code, headers));
  replied?.({ route: undefined, method: undefined, status: tableReply(code).status, count: 1 });
}

/**
 * Refuses a `CONNECT`, for which Node makes no response object, after the replies to the requests before it, and ends its
 * connection.
 */
export function refuseTunnel(connection: Connection, headers: Readonly<Record<string, string>>): void {
  const { socket } = connection;
  // Node has removed its own listener.
  socket.on("error", () => socket.destroy());
  connection.endWith(rawReply("METHOD_NOT_ALLOWED", { ...headers, allow: "GET, HEAD, POST" }));
  // Node no longer parses what arrives, so it can be dropped. Left unread, it would turn the end into a reset.
  socket.resume();
}
