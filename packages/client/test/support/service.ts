import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Replies to a request. */
export type Answer = (request: Seen, response: ServerResponse) => unknown;

/** A small HTTP server, for the time of one test. */
export interface Service {
  readonly url: string;
  /** The requests so far. */
  readonly seen: readonly Seen[];
}

/** Starts a server that replies to the first request with the first answer, and so on; the last one stays. */
export async function serve(...answers: readonly Answer[]): Promise<Service> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The client is gone.
      return;
    }
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, text: Buffer.concat(chunks).toString() };
    seen.push(one);
    await answers[Math.min(seen.length, answers.length) - 1]?.(one, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening");
  return { url: `http://127.0.0.1:${address.port}`, seen };
}
