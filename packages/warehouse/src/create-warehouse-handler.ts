import type { IncomingMessage, ServerResponse } from "node:http";
import { BatchEndpoint } from "./http/batch-endpoint.js";
import type { WarehouseHttpOptions } from "./options.js";

/**
 * Makes the handler of a function of BigQuery or Snowflake: for Express, for Cloud Functions, and for `node:http` itself.
 *
 * @returns a handler that reads the body unless the host has, and always replies
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * app.post("/loans", createWarehouseHandler({
 *   engine: "bigquery", decision: loanApproval, columns: ["amount", "score"], authenticate: "host",
 * }));
 * ```
 */
export function createWarehouseHandler<Input, Output, Profile>(
  options: WarehouseHttpOptions<Input, Output, Profile>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const endpoint = new BatchEndpoint("createWarehouseHandler", options);
  return (request, response) => {
    const isGone = (): boolean => request.socket.destroyed || response.closed;
    void endpoint.answer({ raw: request, ...sentTo(request), identity: undefined }, isGone).then((reply) => {
      if (reply === undefined || response.headersSent) return;
      response.writeHead(reply.status, {
        ...reply.headers,
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(reply.body),
      });
      response.end(reply.body);
    });
  };
}

/** Express knows the whole path, and the address behind its proxies. */
function sentTo(request: IncomingMessage): { readonly url: string; readonly ip: string | undefined } {
  const url: unknown = Reflect.get(request, "originalUrl");
  const ip: unknown = Reflect.get(request, "ip");
  return {
    url: typeof url === "string" ? url : (request.url ?? "/"),
    ip: typeof ip === "string" ? ip : request.socket.remoteAddress,
  };
}
