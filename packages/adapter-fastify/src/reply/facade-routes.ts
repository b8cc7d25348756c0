import type { Logger } from "@decern/core";
import {
  type AnsweredRequest,
  type MountedRoute,
  neverThrowing,
  type ReceivedRequest,
  readable,
  tableReply,
} from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyProblem } from "../request/body-errors.js";
import { requestIdOf } from "../request/request-id.js";
import { isJson } from "./create-responder.js";

interface FacadeOptions {
  readonly origin: (request: FastifyRequest) => ReturnType<ReceivedRequest["origin"]>;
  readonly logger: Logger;
}

/** Adds the routes of facades to the plugin's scope. */
export function addFacadeRoutes(
  scope: FastifyInstance,
  routes: readonly MountedRoute[],
  { origin, logger }: FacadeOptions,
): void {
  const safe = neverThrowing(logger);
  for (const route of routes) {
    scope.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const requestId = requestIdOf(request, reply);
        const { headers, body } = request;
        if (body !== undefined && !isJson(headers["content-type"])) {
          return send(reply, route.refuse(tableReply("UNSUPPORTED_MEDIA_TYPE"), { requestId, headers }));
        }
        const params = paramsOf(request);
        const received = { requestId, headers, body, params, origin: () => origin(request) };
        const answer = await route.answer(received, (thrown) => {
          safe.error({ err: readable(thrown), requestId, facade: route.facade }, "Facade failed");
        });
        return send(reply, answer);
      },
      errorHandler: (error, request, reply) => {
        const problem = bodyProblem(error, request);
        // A rejection, unlike `send`, also passes on values that aren't errors.
        if (problem === undefined) return Promise.reject(error);
        const { headers } = request;
        return send(
          reply,
          route.refuse(tableReply(problem), { requestId: requestIdOf(request, reply), headers }),
        );
      },
    });
  }
}

function paramsOf({ params }: FastifyRequest): Readonly<Record<string, string>> {
  if (typeof params !== "object" || params === null) return {};
  return Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function send(reply: FastifyReply, { status, body, headers, afterwards }: AnsweredRequest): FastifyReply {
  const response = reply.raw;
  if (response.closed) setImmediate(afterwards);
  else response.once("close", afterwards);
  reply.code(status);
  for (const [name, value] of Object.entries(headers)) {
    // The host may have links of its own.
    const earlier = name === "link" ? reply.getHeader(name) : undefined;
    reply.header(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  if (body !== undefined) reply.header("content-type", "application/json; charset=utf-8");
  return reply.send(body);
}
