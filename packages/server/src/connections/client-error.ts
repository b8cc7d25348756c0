import type { Duplex } from "node:stream";
import { tableReply } from "@decern/core/host";
import { errorCode } from "../error-code.js";
import { foreignErrorCode } from "../replies/foreign-error-code.js";
import type { ReplyTeller } from "../replies/tell-replies.js";
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
  replied: ReplyTeller | undefined,
): void {
  // Whoever reads the body has a time limit of its own.
  if (errorCode(error) === "ERR_HTTP_REQUEST_TIMEOUT" && connection?.isStreaming === true) return;
  if (errorCode(error) === "ECONNRESET" || !socket.writable || connection === undefined) {
    socket.destroy(error);
    return;
  }
  const code = foreignErrorCode(error) ?? "BAD_REQUEST";
  connection.endWith(rawReply(code, headers));
  replied?.({ route: undefined, method: undefined, status: tableReply(code).status, count: 1 });
}
