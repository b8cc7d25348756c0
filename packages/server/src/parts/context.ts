import { DecernError, type Feature, type Logger, type ServiceDescription } from "@decern/core";
import { createFeaturedService, LoadGate, type MountedRoute, type Service } from "@decern/core/host";
import type { FastifyInstance } from "fastify";
import fastify from "fastify";
import { AppHooks } from "../base/app-hooks.js";
import type { Generation } from "../base/values.js";
import { HttpServers } from "../connections/http-servers.js";
import { requestIdOf } from "../connections/take-requests.js";
import { routeProblems } from "../options/option-problems.js";
import type { ServerOptions } from "../options/options.js";
import { type CheckedOptions, readServerOptions, type ServerSettings } from "../options/read-options.js";
import { createErrorHandler, errorReply } from "../reply/errors.js";
import { sendError, staticHeaders } from "../reply/send.js";
import { type ReplyTeller, replyTeller } from "../reply/tell-replies.js";
import { metricsPage } from "../routes/features.js";
import { ServiceDocument } from "../routes/openapi.js";

/** What the parts of one server share. */
export class ServerContext {
  readonly settings: ServerSettings;
  readonly service: Service;
  /** Of all features: the server's own, those that the host gave, and facades. */
  readonly routes: readonly MountedRoute[];
  readonly document: ServiceDocument;
  /** Sent with every reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent where no observer listens. */
  readonly replied: ReplyTeller | undefined;
  readonly servers: HttpServers;
  /** Aborted when the server starts to close. */
  readonly closing = new AbortController();
  /** Absent without overload protection. */
  readonly load: LoadGate | undefined;
  readonly app: FastifyInstance;
  readonly hooks: AppHooks;

  /**
   * @throws DecernError `INVALID_OPTIONS` with every option that is unknown, of the wrong kind, or contradicts another, and
   *   everything that is wrong with decisions, profiles and features
   */
  constructor(options: ServerOptions) {
    const { given, checked, problems, metrics, openapi, explain } = readServerOptions(options);
    this.document = new ServiceDocument(
      () => this.service.catalogue.current,
      (generation) => {
        const described = describeService(this.settings, generation, this.routes);
        return openapi?.buildDocument(generation.versions, described) ?? {};
      },
      () => this.service.catalogue.status.decisions !== undefined,
    );
    const ownFeatures: readonly Feature[] = [
      ...(metrics === undefined ? [] : [metricsPage(metrics, checked?.publicMetrics === true)]),
      ...(openapi === undefined ? [] : [this.document.at(openapi.endpoint)]),
      ...(explain === undefined ? [] : [explain]),
    ];
    const logger = checked?.logger === true ? undefined : checked?.logger;
    const { service, routes } = createFeaturedService(
      "createServer",
      { ...given, ...checked, logger },
      { problems, override: checked?.profileOverride ?? "replace", ownFeatures },
    );
    if (checked === undefined) throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems });
    const { hooks, log, records, liveDocs = log === undefined && !hooks?.beforeEvaluate } = checked;
    const docs = checked.docs !== false;
    const taken = routeProblems(routes, { docs, records: records !== false });
    if (taken.length > 0)
      throw new DecernError("INVALID_OPTIONS", { detail: "createServer", problems: taken });
    const settings = {
      ...checked,
      docs,
      publish: typeof checked.docs === "object" ? checked.docs.publish : undefined,
      liveDocs: docs && liveDocs,
      logger: service.logger,
      metrics,
      openapi,
      explain,
    };
    this.settings = settings;
    this.service = service;
    this.routes = routes;
    this.headers = staticHeaders(settings.cors, {
      deprecates: announcesEnd(service.catalogue.current),
      records: log !== undefined,
    });
    this.replied = replyTeller(service.observers, settings.logger);
    this.servers = new HttpServers(settings, this.headers, this.replied);
    this.load = settings.overload && new LoadGate(settings.overload, settings.clock);
    this.app = createApp(settings, this.headers, this.servers, this.routes, this.replied);
    this.hooks = new AppHooks(this.app);
  }
}

/** Whether some version is deprecated. */
function announcesEnd({ decisions }: Service["catalogue"]["current"]): boolean {
  return [...decisions.values()].some(({ versions }) =>
    [...versions.values()].some(({ deprecation }) => deprecation !== undefined),
  );
}

/** Makes the Fastify instance, with everything that Fastify itself decides: limits, request ids, errors. */
function createApp(
  options: Pick<CheckedOptions, "bodyLimit" | "trustProxy"> & { readonly logger: Logger },
  headers: Readonly<Record<string, string>>,
  servers: HttpServers,
  routes: readonly MountedRoute[],
  replied: ReplyTeller | undefined,
): FastifyInstance {
  const handleError = createErrorHandler(options.logger);
  const app: FastifyInstance = fastify({
    serverFactory: (handler) => servers.create(handler),
    // `HttpServers` replies to these errors. Fastify's handler would reply again, ahead of pending replies: docs/adr/0009.
    clientErrorHandler: () => {},
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustProxy,
    genReqId: requestIdOf,
    // Ids of decisions are shorter, so a longer one reaches the route, which replies that there is no such decision.
    routerOptions: { maxParamLength: 1024 },
    // Fastify's reply has no request id and no Retry-After. `admitRequests` refuses these requests instead.
    return503OnClosing: false,
    // `HttpServers` ends idle connections: Node considers one idle whose reply is still leaving.
    forceCloseConnections: false,
    // Requests whose URL cannot be routed, such as one with a malformed escape, run no hooks.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header("x-request-id", request.id);
      const facade = routes.find(
        ({ base, hasParameter, isFacade }) => isFacade && hasParameter && request.url.startsWith(`${base}/`),
      );
      if (facade === undefined) handleError(error, request, reply);
      else sendError(reply, errorReply(error), facade);
      replied?.({ route: undefined, method: request.method, status: reply.statusCode, count: 1 });
    },
  });
  app.setErrorHandler(handleError);
  return app;
}

/** Describes a server for its OpenAPI document. */
function describeService(
  settings: ServerSettings,
  current: Generation,
  routes: readonly MountedRoute[],
): ServiceDescription {
  const { metrics, openapi, authenticate, overload, log, versions, explain } = settings;
  const described = routes.flatMap(({ method, path, open, operation }) =>
    operation === undefined ? [] : [{ method, path, open, operation }],
  );
  return {
    metricsEndpoint: metrics?.endpoint,
    openapiEndpoint: openapi?.endpoint,
    docs: settings.docs,
    swaggerEndpoint: openapi?.swaggerUI === true ? openapi.swaggerEndpoint : undefined,
    profileOverride: settings.profileOverride,
    callerProfiles: describeOffered(current),
    sheddingLoad: overload !== undefined,
    records: log !== undefined,
    explains: explain !== undefined,
    maxBatch: settings.maxBatch,
    security: authenticate?.security,
    publicMetrics: settings.publicMetrics,
    versions: versions === undefined ? undefined : describeVersions(current, versions),
    facades: described.length === 0 ? undefined : described,
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
  policies: object,
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
