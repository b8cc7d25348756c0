import type { IncomingMessage } from "node:http";
import { rawReply } from "./client-error.js";
import type { Connections } from "./connections.js";

/**
 * Answers a `CONNECT`, for which Node makes no response object, after the replies to the requests before it, and ends its
 * connection.
 *
 * @param timeoutMs - how long those replies may take
 */
export function refuseTunnel(
  request: IncomingMessage,
  connections: Connections,
  timeoutMs: number,
  headers: Readonly<Record<string, string>>,
): void {
  const { socket } = request;
  // Nobody else listens to it any more. What is read is dropped: what lies in it unread would make the end a reset.
  socket.on("error", () => socket.destroy()).resume();
  const giveUp = setTimeout(() => socket.destroy(), timeoutMs);
  socket.once("close", () => clearTimeout(giveUp));
  connections.whenSettled(socket, () => {
    if (!socket.writable) return;
    socket.write(rawReply("METHOD_NOT_ALLOWED", { ...headers, allow: "GET, HEAD, POST" }));
    socket.destroySoon();
  });
}
