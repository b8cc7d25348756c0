import type { Duplex } from "node:stream";
import type { ErrorCode } from "@decern/core";
import type { Connection } from "./connection.js";
import { rawReply } from "./raw-reply.js";

const codes: ReadonlyMap<unknown, ErrorCode> = new Map([
  ["HPE_HEADER_OVERFLOW", "HEADERS_TOO_LARGE"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "REQUEST_TIMEOUT"],
]);

/**
 * Replies to what Node cannot read as HTTP, which never reaches a route, after the replies to the requests before it, and
 * ends the connection. docs/adr/0009 says why the server does this itself.
 */
export function replyToClientError(
  error: Error,
  socket: Duplex,
  connection: Connection | undefined,
  headers: Readonly<Record<string, string>>,
): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || !socket.writable || connection === undefined) socket.destroy(error);
  else connection.endWith(rawReply(codes.get(code) ?? "BAD_REQUEST", headers));
}
