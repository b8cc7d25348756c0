import type { IncomingMessage } from "node:http";
import type { Connection } from "./connection.js";
import { rawReply } from "./raw-reply.js";

/**
 * Refuses a `CONNECT`, for which Node makes no response object, after the replies to the requests before it, and ends its
 * connection.
 *
 * @param timeoutMs - how long those replies may take
 */
export function refuseTunnel(
  { socket }: IncomingMessage,
  connection: Connection,
  timeoutMs: number,
  headers: Readonly<Record<string, string>>,
): void {
  // Node has removed its own listener.
  socket.on("error", () => socket.destroy());
  const giveUp = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(giveUp));
  connection.endWith(rawReply("METHOD_NOT_ALLOWED", { ...headers, allow: "GET, HEAD, POST" }));
  // Node no longer parses what arrives, so it can be dropped. Left unread, it would turn the end into a reset.
  socket.resume();
}
