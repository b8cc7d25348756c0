import type { Logger } from "@decern/core";
import {
  type AnsweredRequest,
  type LoadGate,
  type MountedRoute,
  neverThrowing,
  readable,
} from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorReply, logFault } from "../replies/error-handler.js";
import { JSON_TYPE } from "../replies/send.js";
import { takeJsonOnly } from "../requests/json-body.js";
import { originOf } from "../requests/request-origin.js";

interface FacadeOptions {
  readonly logger: Logger;
  /** The gate that a request entered, to be left once it is answered. */
  readonly load: LoadGate | undefined;
}

/** Serves the routes of facades. What the server refuses on them is replied in their protocol's form. */
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
        method: route.method,
        url: route.path,
        config: { decern: { open: route.open } },
        handler: async (request, reply) => {
          const { id: requestId, headers, body } = request;
          const received = {
            requestId,
            headers,
            body,
            params: paramsOf(request),
            origin: () => originOf(request),
          };
          const answer = await route.answer(received, (thrown) => {
            safe.error({ err: readable(thrown), requestId, facade: route.facade }, "Facade failed");
          });
          load?.leave(reply.raw);
          return send(reply, answer);
        },
        errorHandler: (error, request, reply) => {
          const refusal = errorReply(error);
          if (refusal.status >= 500) logFault(safe, error, request);
          const { id: requestId, headers } = request;
          send(reply, route.refuse(refusal, { requestId, headers }));
        },
      });
    }
  });
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  if (typeof params !== "object" || params === null) return {};
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function send(reply: FastifyReply, { status, body, headers, afterwards }: AnsweredRequest): FastifyReply {
  reply.code(status).headers(headers);
  if (body !== undefined) reply.header("content-type", JSON_TYPE);
  const response = reply.raw;
  if (response.closed) setImmediate(afterwards);
  else response.once("close", afterwards);
  return reply.send(body);
}
