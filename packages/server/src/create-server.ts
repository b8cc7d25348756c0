import {
  checkOptions,
  consoleLogger,
  createCatalogue,
  type Decision,
  type Logger,
  Runner,
  requestIdFrom,
} from "@decern/core";
import fastify, { type FastifyInstance } from "fastify";
import { enabledFeature } from "./check-feature.js";
import type { DecisionServer } from "./decision-server.js";
import { docsPlugin } from "./docs/docs-plugin.js";
import { createErrorHandler } from "./error-handler.js";
import { HttpServers } from "./http-servers.js";
import { takeJsonOnly } from "./json-body.js";
import { Lifecycle } from "./lifecycle.js";
import { createNotFoundHandler } from "./not-found.js";
import type { ServerOptions } from "./options.js";
import { evaluationRoute } from "./routes/evaluation.js";
import { healthRoutes } from "./routes/health.js";
import { listingRoute } from "./routes/listing.js";
import { schemaRoutes } from "./routes/schemas.js";
import { staticHeaders } from "./static-headers.js";

const silent: Logger = { error() {} };
const known = [
  "decisions",
  "profiles",
  "cors",
  "hooks",
  "observers",
  "metrics",
  "openapi",
  "docs",
  "allowProfileOverride",
  "bodyLimit",
  "hookTimeoutMs",
  "requestTimeoutMs",
  "keepAliveTimeoutMs",
  "closeTimeoutMs",
  "clock",
  "logger",
  "trustProxy",
  "authenticate",
  "protectMetrics",
  "overload",
];

export function createServer<const Decisions extends readonly Decision[]>(
  options: ServerOptions<Decisions>,
): DecisionServer {
  checkOptions("createServer", options, { known, required: ["decisions"] });
  const catalogue = createCatalogue(options.decisions, options.profiles);
  const metrics = enabledFeature("metrics", options.metrics);
  const openapi = enabledFeature("openapi", options.openapi);
  void openapi;
  const logger =
    typeof options.logger === "object" ? options.logger : options.logger === false ? silent : consoleLogger;
  const observers = [...(metrics === undefined ? [] : [metrics.observer]), ...(options.observers ?? [])];
  const { hooks, clock, hookTimeoutMs } = options;
  const runner = new Runner({ hooks, observers, clock, logger, hookTimeoutMs });
  const headers = staticHeaders(options.cors ?? true);
  const servers = new HttpServers(
    {
      requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
      keepAliveTimeoutMs: options.keepAliveTimeoutMs ?? 5000,
      connectionTimeoutMs: 60_000,
    },
    headers,
  );
  const app: FastifyInstance = fastify({
    serverFactory: (handler) => servers.create(handler),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    genReqId: (request) => requestIdFrom(request.headers["x-request-id"]),
    return503OnClosing: false,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: 1024 },
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header("x-request-id", request.id);
      handleError(error, request, reply);
    },
  });
  const handleError = createErrorHandler(logger);
  const docs = options.docs ?? true;
  const lifecycle = new Lifecycle(
    app,
    servers,
    { decisionCount: catalogue.size, docs },
    options.closeTimeoutMs ?? 10_000,
  );
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(createNotFoundHandler(app));
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers).header("x-request-id", request.id);
    done();
  });
  healthRoutes(app, catalogue.size, () => lifecycle.closing);
  app.register(async (scope) => {
    takeJsonOnly(scope);
    listingRoute(scope, catalogue);
    schemaRoutes(scope, catalogue);
    evaluationRoute(scope, catalogue, runner, options.allowProfileOverride ?? true, {});
  });
  if (docs)
    app.register(docsPlugin, {
      catalogue,
      profileOverride: options.allowProfileOverride ?? true,
      secured: options.authenticate !== undefined,
    });
  return {
    handler: app,
    metrics: metrics?.collector ?? null,
    listen: (port, listenOptions) => lifecycle.listen(port, listenOptions),
    close: () => lifecycle.close(),
  };
}
