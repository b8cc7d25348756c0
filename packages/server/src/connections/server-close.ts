import { Server } from "node:http";
import { Server as NetServer } from "node:net";

/*
 * The one place that depends on how Node closes an HTTP server: `http.Server.close` is `net.Server.close` plus ending idle
 * connections and the timer that checks for late requests. docs/adr/0008 says why the server needs the parts.
 * Checked with Node 20.20 and 24, by test/closing.test.ts and apps/demo/test/robustness/closing.test.ts.
 */

/**
 * Makes `server.close`, which Fastify calls, wait for `drain` instead. Node's own would at once end every connection without
 * a request, including one whose request lies unread in the socket, and one whose reply is still leaving.
 */
export function closeByDraining(server: Server, drain: () => Promise<unknown>): void {
  server.close = (callback) => {
    void drain().then(() => callback?.());
    return server;
  };
}

/** Stops accepting connections and resolves when the last open one has ended. Ends none itself. */
export function closeWhenEmpty(server: Server): Promise<void> {
  return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
}

/** Closes a server as Node does, with its idle connections and its timer. */
export function closeAtOnce(server: Server): void {
  Server.prototype.close.call(server);
}
