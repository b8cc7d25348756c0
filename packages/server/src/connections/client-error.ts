import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@decern/core";
import { errorBody, requestIdFrom, tableReply } from "@decern/core/host";
import { JSON_TYPE } from "../replies/send.js";
import { endWithReply } from "./end-with-reply.js";
import type { PendingReplies } from "./pending-replies.js";

const codes: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["HPE_HEADER_OVERFLOW", "HEADERS_TOO_LARGE"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "REQUEST_TIMEOUT"],
]);

/** Answers what is not HTTP and so never reached a route, after everything that came before it, and ends the connection. */
export function replyToBadRequest(
  error: Error,
  socket: Duplex,
  pending: PendingReplies | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const thrownCode = "code" in error ? error.code : undefined;
  if (thrownCode === "ECONNRESET" || !socket.writable || pending === undefined) socket.destroy(error);
  else endWithReply(socket, pending, rawReply(codes.get(thrownCode) ?? "BAD_REQUEST", headers));
}

/** Writes a whole reply of the error table, for what has no response object. Its connection ends with it. */
export function rawReply(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const reply = tableReply(code);
  const body = errorBody(reply);
  const lines = {
    ...headers,
    "x-request-id": requestIdFrom(undefined),
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${head.join("")}\r\n${body}`;
}
