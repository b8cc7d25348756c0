import { requestIdFrom, tableReply } from "@decern/core";
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { createErrorHandler } from "./error-handler.js";
import type { HttpServers } from "./http-servers.js";
import { createNotFoundHandler } from "./not-found.js";
import type { ResolvedOptions } from "./resolve-options.js";
import { sendError } from "./send.js";

/** Makes the Fastify instance with what holds for every route: request ids, headers, masked errors, a clean end. */
export function createApp(
  options: Pick<ResolvedOptions, "bodyLimit" | "logger">,
  trustProxy: FastifyServerOptions["trustProxy"],
  headers: Readonly<Record<string, string>>,
  servers: HttpServers,
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
    // What no route is looked up for, such as a malformed escape, runs no hooks.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header("x-request-id", request.id);
      handleError(error, request, reply);
    },
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(createNotFoundHandler(app));
  const fixed = Object.entries(headers);
  app.addHook("onRequest", (request, reply, done) => {
    for (const [name, value] of fixed) reply.header(name, value);
    reply.header("x-request-id", request.id);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
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
  return app;
}
