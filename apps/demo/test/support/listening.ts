import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** The port of a listening server. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return address.port;
}

/** A server of the test. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Ends its connections too. */
  close(): Promise<void>;
}

/** Starts an HTTP server, or that of an Express application, on a free port. */
export async function listening(server: HttpServer, host = "127.0.0.1"): Promise<Listening> {
  server.listen(0, host);
  await once(server, "listening");
  const port = portOf(server);
  return {
    port,
    url: `http://${host}:${port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A free port, for programs that cannot choose one and report it. */
export async function freePort(): Promise<number> {
  const { port, close } = await listening(createServer(), "localhost");
  await close();
  return port;
}
