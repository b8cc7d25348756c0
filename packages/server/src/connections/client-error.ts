import type { Duplex } from "node:stream";
import { errorCode } from "../error-code.js";
import { foreignErrorCode } from "../replies/foreign-error-code.js";
import type { Connection } from "./connection.js";
import { rawReply } from "./raw-reply.js";

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
  // Whoever reads the body has a time limit of its own.
  if (errorCode(error) === "ERR_HTTP_REQUEST_TIMEOUT" && connection?.isStreaming === true) return;
  if (errorCode(error) === "ECONNRESET" || !socket.writable || connection === undefined)
    socket.destroy(error);
  else connection.endWith(rawReply(foreignErrorCode(error) ?? "BAD_REQUEST", headers));
}
