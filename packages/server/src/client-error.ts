import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, errorBody, requestIdFrom, tableReply } from "@decern/core";
import { JSON_TYPE } from "./send.js";

const codes: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["HPE_HEADER_OVERFLOW", "HEADERS_TOO_LARGE"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "REQUEST_TIMEOUT"],
]);

/** Answers what is no HTTP, and so never reached a route, and ends its connection. */
export function replyToBadRequest(
  error: Error,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  const thrownCode = "code" in error ? error.code : undefined;
  if (thrownCode !== "ECONNRESET" && socket.writable && !isAnswering(socket)) {
    socket.write(rawReply(codes.get(thrownCode) ?? "BAD_REQUEST", headers));
  }
  socket.destroy(error);
}

/** A second reply in the middle of a first would garble both. */
function isAnswering(socket: Duplex): boolean {
  const message: unknown = Reflect.get(socket, "_httpMessage");
  return (
    typeof message === "object" &&
    message !== null &&
    "headersSent" in message &&
    message.headersSent === true
  );
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
