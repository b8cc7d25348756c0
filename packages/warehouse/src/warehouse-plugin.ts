import { endpointKind } from "@decern/core/host";
import { type Kind, kinds, option, type RowsOf } from "@decern/core/options";
import type { FastifyInstance, RegisterOptions } from "fastify";
import { BatchEndpoint } from "./http/batch-endpoint.js";
import type { WarehouseHttpOptions } from "./options.js";
import { httpRows } from "./options.js";

/** Options of {@link warehousePlugin}. */
export interface WarehousePluginOptions<Input, Output, Profile>
  extends WarehouseHttpOptions<Input, Output, Profile> {
  /** Where it is served, below the prefix of `register`. @default "/" */
  readonly path?: string | undefined;
}

const pathKind: Kind<string> = (value, path) => (value === "/" ? [] : endpointKind(value, path));

const rows = {
  ...httpRows,
  path: option(pathKind),
  // Fastify's own options of `register`.
  prefix: option(kinds.anything<never>()),
  logLevel: option(kinds.anything<never>()),
  logSerializers: option(kinds.anything<never>()),
} satisfies RowsOf<WarehousePluginOptions<unknown, unknown, unknown> & RegisterOptions>;

/**
 * Serves a function of BigQuery or Snowflake at `POST <prefix><path>`. It doesn't affect other routes.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * await app.register(warehousePlugin, {
 *   path: "/loans", engine: "snowflake", decision: loanApproval, columns: ["amount", "score"], authenticate: "host",
 * });
 * ```
 */
export async function warehousePlugin<Input, Output, Profile>(
  app: FastifyInstance,
  options: WarehousePluginOptions<Input, Output, Profile> & RegisterOptions,
): Promise<void> {
  const endpoint = new BatchEndpoint(
    "warehousePlugin",
    { ...options, logger: options.logger ?? app.log },
    rows,
  );
  app.addHook("onClose", () => endpoint.stop());
  // A scope keeps the parser from the host's other routes.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post(options.path ?? "/", async (request, reply) => {
      const { raw, ip, originalUrl: url } = request;
      const isGone = (): boolean => raw.socket.destroyed || reply.raw.closed;
      const answer = await endpoint.answer({ raw, url, ip, identity: undefined }, isGone);
      if (answer === undefined) return reply.hijack();
      return reply
        .code(answer.status)
        .headers(answer.headers)
        .type("application/json; charset=utf-8")
        .send(answer.body);
    });
  });
}
