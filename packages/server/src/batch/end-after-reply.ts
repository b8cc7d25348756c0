import type { ServerResponse } from "node:http";

/** How long a client may go on sending what nobody reads, in milliseconds. */
const lingerMs = 500;

/**
 * Ends the connection of a reply that is complete before its request is. A connection that is cut while bytes arrive takes with
 * it what the client has not read of the reply, so what arrives goes by for a while.
 */
export function endAfterReply(response: ServerResponse): void {
  const { socket } = response.req;
  response.once("finish", () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}
