import type { Decision } from "@decern/core";
import { requestIdFrom, tableReply } from "@decern/core/host";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { hasSoundFraming } from "./connections/framing.js";
import type { HttpServers } from "./connections/http-servers.js";
import { settleCloseHooks } from "./lifecycle/settle-close-hooks.js";
import type { ResolvedOptions } from "./options/resolve-options.js";
import { createErrorHandler } from "./replies/error-handler.js";
import { createNotFoundHandler } from "./replies/not-found.js";
import { sendError } from "./replies/send.js";

/** Makes the Fastify instance with what holds for every route: request ids, headers, masked errors, a clean end. */
export function createApp(
  options: Pick<ResolvedOptions, "bodyLimit" | "logger">,
  trustProxy: FastifyServerOptions["trustProxy"],
  headers: Readonly<Record<string, string>>,
  servers: HttpServers,
  catalogue: ReadonlyMap<string, Decision>,
  isClosing: () => boolean,
): FastifyInstance {
  const handleError = createErrorHandler(options.logger);
  const app: FastifyInstance = fastify({
    serverFactory: (handler) => servers.create(handler),
    // `HttpServers` answers these errors. Fastify's own handler would answer a second time, ahead of pending replies.
    clientErrorHandler: () => {},
    bodyLimit: options.bodyLimit,
    trustProxy: trustProxy ?? false,
    genReqId: (request) => requestIdFrom(request.headers["x-request-id"]),
    // Ids of decisions are shorter; a longer one is of no decision, and is told so.
    routerOptions: { maxParamLength: 1024 },
    // Fastify's own has no request id and no Retry-After; ours is in the hook below.
    return503OnClosing: false,
    // Fastify would have Node end idle connections, and Node takes one for idle whose reply is still leaving.
    forceCloseConnections: false,
    // What no route is looked up for, such as a malformed escape, runs no hooks.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header("x-request-id", request.id);
      handleError(error, request, reply);
    },
  });
  settleCloseHooks(app);
  app.setErrorHandler(handleError);
  const handleNotFound = createNotFoundHandler(app, catalogue);
  // For routes that call for it themselves.
  app.setNotFoundHandler(handleNotFound);
  const fixed = Object.entries(headers);
  app.addHook("onRequest", (request, reply, done) => {
    for (const [name, value] of fixed) reply.header(name, value);
    reply.header("x-request-id", request.id);
    if (!hasSoundFraming(request.raw)) {
      reply.header("connection", "close");
      sendError(reply, tableReply("BAD_REQUEST"));
      return;
    }
    if (isClosing()) {
      reply.header("connection", "close");
      if (request.routeOptions.config.decern?.vital !== true) {
        reply.header("retry-after", "1");
        sendError(reply, tableReply("SERVER_CLOSING"));
        return;
      }
    }
    done();
  });
  // Before the body is judged, and after every `onRequest` hook: whoever has to say who they are has said so.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (request.is404) handleNotFound(request, reply);
    else done();
  });
  return app;
}
