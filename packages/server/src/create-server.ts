import type { Decision, Identity, KnownOptions, ProfileOverride } from "@decern/core";
import type { DecisionServer } from "./lifecycle/decision-server.js";
import { Lifecycle } from "./lifecycle/lifecycle.js";
import type { ServerOptions } from "./options/options.js";
import { ServerContext } from "./parts/context.js";
import { serverParts } from "./parts/parts.js";

/** The options that may bring profiles: callers bring none where they may not send any. */
type Bringing<Given extends PropertyKey, Override> = [Override] extends [false | undefined]
  ? Exclude<Given, "profileOverride">
  : Given;

/**
 * Creates a server for decisions. It accepts requests through `inject` immediately, and from the network after `listen`.
 *
 * @param options - `decisions`, and everything that differs from the defaults
 * @returns the server: `listen`, `close`, its Fastify instance as `handler`, and its `metrics`
 * @throws DecernError `INVALID_OPTIONS` with every problem: unknown or contradicting options, duplicate ids, profiles that
 *   belong to no decision or break their schema, a feature that was not built by its package
 *
 * @example
 * ```ts
 * import { createServer } from "@decern/server";
 *
 * const server = createServer({ decisions: [] });
 * const reply = await server.handler.inject("/health/ready"); // reply.statusCode is 200
 * ```
 */
export function createServer<
  const Decisions extends readonly Decision[],
  Key extends PropertyKey = never,
  Given extends PropertyKey = never,
  Caller extends Identity = Identity,
  Override extends ProfileOverride | undefined = undefined,
>(
  options: ServerOptions<Decisions, Key, Bringing<Given, Override>, Caller> &
    KnownOptions<Given, ServerOptions> & { readonly profileOverride?: Override },
): DecisionServer;
// Apart from the signature above, whose parameters only check what is written.
export function createServer(options: ServerOptions): DecisionServer {
  const server = new ServerContext(options);
  for (const part of serverParts) if (part.isOn?.(server) !== false) part.install(server);
  server.hooks.handOver();
  const lifecycle = new Lifecycle(server);
  return {
    handler: server.app,
    metrics: server.settings.metrics?.collector ?? null,
    listen: (port, listenOptions) => lifecycle.listen(port, listenOptions),
    close: () => lifecycle.close(),
  };
}
