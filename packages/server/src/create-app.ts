import type { Logger } from "@decern/core";
import type { MountedRoute } from "@decern/core/host";
import fastify, { type FastifyInstance } from "fastify";
import type { HttpServers } from "./connections/http-servers.js";
import { requestIdOf } from "./connections/take-requests.js";
import type { CheckedOptions } from "./options/rows.js";
import { createErrorHandler, errorReply } from "./reply/errors.js";
import { sendError } from "./reply/send.js";
import type { ReplyTeller } from "./reply/tell-replies.js";

/** Makes the Fastify instance, with everything that Fastify itself decides: limits, request ids, errors. */
export function createApp(
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
