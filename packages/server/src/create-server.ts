import type { Decision, Identity, KnownOptions, ProfileOverride } from "@decern/core";
import {
  envelope,
  Handler,
  LoadGate,
  mountFacades,
  Replies,
  type ServiceDescription,
  traced,
} from "@decern/core/host";
import type { Generation } from "@decern/core/tools";
import { authenticateCallers } from "./auth/authenticate.js";
import { batchRoutes } from "./batch/batch-routes.js";
import { StreamEnd } from "./batch/body-reader.js";
import { HttpServers } from "./connections/http-servers.js";
import { createApp } from "./create-app.js";
import type { DecisionServer } from "./lifecycle/decision-server.js";
import { Lifecycle } from "./lifecycle/lifecycle.js";
import type { ServerOptions } from "./options/options.js";
import { type ResolvedOptions, resolveOptions } from "./options/resolve-options.js";
import { docsPlugin } from "./pages/docs-plugin.js";
import { recordsPlugin } from "./records/records-plugin.js";
import { staticHeaders } from "./reply/send.js";
import { replyTeller, tellReplies } from "./reply/tell-replies.js";
import { admitRequests, docsPrefix, livePrefix } from "./request/admission.js";
import { takeJsonOnly } from "./request/body.js";
import { preflightRoute } from "./request/routing.js";
import { evaluationRoutes } from "./routes/evaluation.js";
import { explainRoutes } from "./routes/explain.js";
import { facadeRoutes } from "./routes/facades.js";
import { healthRoutes, metricsRoute } from "./routes/health.js";
import { listingRoute, schemaRoutes, versionsRoute } from "./routes/listing.js";
import { openapiRoutes } from "./routes/openapi.js";

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
  const resolved = resolveOptions(options);
  const { service, metrics, clock, logger, hookTimeoutMs, closeTimeoutMs } = resolved;
  const { observers, profileOverride, explain } = resolved;
  const { authenticate, overload, log } = options;
  const { catalogue } = service;
  const facades = mountFacades(options.facades, service);

  const headers = staticHeaders(resolved.cors, {
    deprecates: announcesEndOf(catalogue.current),
    records: log !== undefined,
  });
  const replied = replyTeller(observers, logger);
  const servers = new HttpServers(resolved, headers, replied);
  const closing = new AbortController();
  const load = overload === undefined ? undefined : new LoadGate(overload, clock);
  const app = createApp(resolved, options.trustProxy, headers, servers, facades, replied);
  if (replied !== undefined) tellReplies(app, replied, authenticate !== undefined);
  const notice = { decisionCount: catalogue.current.decisions.size, docs: resolved.docs };
  const lifecycle = new Lifecycle({ app, servers, closing, notice, closeTimeoutMs, logger, log });

  const { connections } = servers;
  admitRequests(app, { headers, closing: closing.signal, load, catalogue });
  app.decorateRequest("decernIdentity", undefined);
  if (authenticate !== undefined) authenticateCallers(app, authenticate, hookTimeoutMs);
  app.addHook("onClose", () => service.stop());
  if (resolved.cors) preflightRoute(app);
  healthRoutes(app, { catalogue, log, closing: closing.signal, docs: resolved.docs });
  app.register(async (scope) => {
    takeJsonOnly(scope);
    listingRoute(scope, catalogue);
    schemaRoutes(scope, catalogue);
    versionsRoute(scope, catalogue);
    const replies = new Replies();
    const evaluation = { profileOverride, load };
    evaluationRoutes(scope, { ...evaluation, handler: new Handler(service, envelope, replies) });
    if (explain !== undefined) explainRoutes(scope, { service, profileOverride, feature: explain });
    if (resolved.docs) {
      const handler = new Handler(service, traced, replies);
      evaluationRoutes(scope, { ...evaluation, prefix: docsPrefix, handler });
    }
    if (resolved.liveDocs) {
      const handler = new Handler(service.unseen(), traced, replies);
      evaluationRoutes(scope, { ...evaluation, prefix: livePrefix, handler });
    }
  });
  const streamEnd = new StreamEnd(closing.signal, closeTimeoutMs / 2);
  app.register(async (scope) => {
    const { maxBatch, bodyLimit, requestTimeoutMs: idleMs } = resolved;
    const limits = { maxBatch, bodyLimit, idleMs, streamEnd };
    batchRoutes(scope, { service, profileOverride, load, connections, ...limits });
  });
  facadeRoutes(app, facades, { logger, load });
  if (metrics !== undefined) metricsRoute(app, metrics, resolved.publicMetrics);
  const { openapi, records } = resolved;
  if (openapi !== undefined) {
    const described = describeService(resolved, options, facades);
    openapiRoutes(app, openapi, resolved.docs, () =>
      openapi.buildDocument(catalogue.current.versions, described),
    );
  }
  if (resolved.docs) {
    app.register(docsPlugin, {
      catalogue,
      profileOverride,
      explains: explain !== undefined,
      live: resolved.liveDocs,
      secured: authenticate !== undefined,
      links: {
        ...(openapi === undefined ? {} : { openapi: openapi.endpoint.slice(1) }),
        ...(openapi?.swaggerUI === true ? { swagger: openapi.swaggerEndpoint.slice(1) } : {}),
        ...(records !== false && log !== undefined ? { records: "records" } : {}),
      },
    });
  }
  if (records !== false && log !== undefined) {
    const access = records === true ? undefined : records;
    app.register(recordsPlugin, { catalogue, log, logger, access, timeoutMs: hookTimeoutMs });
  }
  return {
    handler: app,
    metrics: metrics?.collector ?? null,
    listen: (port, listenOptions) => lifecycle.listen(port, listenOptions),
    close: () => lifecycle.close(),
  };
}

/** Whether some version is deprecated. */
function announcesEndOf({ decisions }: Generation): boolean {
  return [...decisions.values()].some(({ versions }) =>
    [...versions.values()].some(({ deprecation }) => deprecation !== undefined),
  );
}

/** Describes this server for the OpenAPI document. */
function describeService(
  resolved: ResolvedOptions,
  options: Pick<ServerOptions, "authenticate" | "log" | "overload" | "versions">,
  facades: ServiceDescription["facades"],
): ServiceDescription {
  const { service, metrics, openapi } = resolved;
  const { current } = service.catalogue;
  return {
    metricsEndpoint: metrics?.endpoint,
    openapiEndpoint: openapi?.endpoint,
    docs: resolved.docs,
    swaggerEndpoint: openapi?.swaggerUI === true ? openapi.swaggerEndpoint : undefined,
    profileOverride: resolved.profileOverride,
    callerProfiles: describeOffered(current),
    sheddingLoad: options.overload !== undefined,
    records: options.log !== undefined,
    explains: resolved.explain !== undefined,
    maxBatch: resolved.maxBatch,
    security: options.authenticate?.security,
    publicMetrics: resolved.publicMetrics,
    versions: options.versions === undefined ? undefined : describeVersions(current, options.versions),
    facades: facades?.length === 0 ? undefined : facades,
  };
}

/** The names of the profiles that callers may choose. */
function describeOffered({ decisions }: Generation): ServiceDescription["callerProfiles"] {
  const offering = [...decisions.values()].filter(({ offered }) => offered.size > 0);
  if (offering.length === 0) return undefined;
  return Object.fromEntries(offering.map(({ id, offered }) => [id, [...offered]]));
}

/** Describes the versions of each id for which the host gave a policy. */
function describeVersions(
  { decisions }: Generation,
  policies: NonNullable<ServerOptions["versions"]>,
): NonNullable<ServiceDescription["versions"]> {
  const described = [...decisions.values()]
    .filter(({ id }) => Object.hasOwn(policies, id))
    .map(({ id, standard, versions, retired }) => {
      const deprecated = [...versions].flatMap(([version, { deprecation }]) =>
        deprecation === undefined ? [] : [[version, deprecation] as const],
      );
      const policy = {
        default: standard.decision.version,
        deprecated: Object.fromEntries(deprecated),
        retired: [...retired],
      };
      return [id, policy] as const;
    });
  return Object.fromEntries(described);
}
