import type { Logger } from "@decern/core";
import { type LoadGate, type MountedRoute, tableReply, wrongMethods } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { restOf, sendAnswer, sendError } from "../reply/send.js";
import { originOf, takeJsonOnly } from "../request/body.js";

interface FacadeOptions {
  readonly logger: Logger;
  /** The gate that a request entered, to be left once it has its response. */
  readonly load: LoadGate | undefined;
}

/** Serves the paths of facades. What the server refuses on them is replied in their protocol's form. */
export function facadeRoutes(
  app: FastifyInstance,
  routes: readonly MountedRoute[],
  { logger, load }: FacadeOptions,
): void {
  const safe = neverThrowing(logger);
  app.register(async (scope) => {
    takeJsonOnly(scope);
    for (const route of routes) {
      scope.route({
        ...at(route),
        method: route.method,
        handler: async (request, reply) => {
          const { id: requestId, headers, body } = request;
          const rest = restOf(request);
          const received = { requestId, headers, body, rest, origin: () => originOf(request) };
          const answer = await route.answer(received, (thrown) => {
            safe.error({ err: readable(thrown), requestId, facade: route.facade }, "Facade failed");
          });
          load?.leave(reply.raw);
          return sendAnswer(reply, answer);
        },
      });
    }
    for (const { route, methods, allow } of wrongMethods(routes)) {
      const refuse = (_request: FastifyRequest, reply: FastifyReply): void =>
        sendError(reply.header("allow", allow), tableReply("METHOD_NOT_ALLOWED"));
      // Before a body is read.
      scope.route({ ...at(route), method: [...methods], onRequest: refuse, handler: refuse });
    }
  });
}

/** Where the server has a route. Not as a parameter, whose length Fastify limits. */
function at(route: MountedRoute) {
  const { base, hasParameter, open } = route;
  return { url: hasParameter ? `${base}/*` : base, config: { decern: { open, facade: route } } };
}
