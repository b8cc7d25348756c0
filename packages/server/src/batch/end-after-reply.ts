import type { ServerResponse } from "node:http";
import type { Connection } from "../connections/connection.js";

/** How long a client may go on sending what nobody reads, in milliseconds. */
const lingerMs = 500;

/**
 * Ends a connection after a reply that is complete before its request is. Requests that still arrive are not evaluated: nobody
 * would get their replies. A connection that is cut while bytes arrive takes with it what the client has not read of the reply,
 * so what arrives goes by for a while.
 */
export function endAfterReply(response: ServerResponse, connection: Connection): void {
  const { socket } = connection;
  connection.ignored ??= 0;
  response.once("finish", () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}
