import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandError } from "../command-line/command.js";

/** The page of a worker, once it is served. */
export interface MetricsPage {
  /** Such as `http://127.0.0.1:9464`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where the page is, and what is on it. */
export interface MetricsPageOptions {
  /** 0 for a free one. */
  readonly port: number;
  readonly host: string;
  render(accept: string | undefined): Promise<{ readonly contentType: string; readonly body: string }>;
}

/**
 * Serves `/metrics`, and `/health/live` for an orchestrator: it answers as long as the process does.
 *
 * @throws CommandError when the port is taken
 */
export async function serveMetrics({ port, host, render }: MetricsPageOptions): Promise<MetricsPage> {
  const server = createServer((request, response) => {
    const reply = (status: number, contentType: string, body: string): void => {
      response.writeHead(status, { "content-type": contentType }).end(body);
    };
    const path = request.url?.split("?")[0];
    if (path === "/health/live") reply(200, "application/json", '{"status":"live"}');
    else if (path !== "/metrics") reply(404, "text/plain", "not found\n");
    else {
      render(request.headers.accept).then(
        ({ contentType, body }) => reply(200, contentType, body),
        () => reply(500, "text/plain", "the metrics cannot be read\n"),
      );
    }
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`cannot serve metrics on ${host}:${port}: ${reason}`, { cause });
  }
  return {
    url: urlOf(server.address(), host),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === "object" && address !== null ? address.port : "";
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
