import { DecernError, type ErrorCode, type ErrorReply, type Logger } from "@decern/core";
import { type MountedRoute, type Target, tableReply, toErrorReply, wrongMethods } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { bodyProblem } from "./body-errors.js";
import { type Reading, requestIdOf } from "./request.js";
import { isJson } from "./responder.js";

interface FeatureOptions {
  readonly reading: Reading;
  readonly logger: Logger;
}

/** Serves the paths of features in the plugin's scope. What is refused on those of a facade is replied in its protocol's form. */
export function addFeatureRoutes(
  scope: FastifyInstance,
  routes: readonly MountedRoute[],
  options: FeatureOptions,
): void {
  for (const route of routes) if (!route.ofDecision) addFeatureRoute(scope, route, at(route), options);
  for (const { route, methods, allow } of wrongMethods(routes)) {
    const answer = (request: FastifyRequest, reply: FastifyReply): void =>
      void refuse(route, tableReply("METHOD_NOT_ALLOWED"), request, reply.header("allow", allow));
    // Before a body is read.
    scope.route({ ...at(route), method: [...methods], onRequest: answer, handler: answer });
  }
}

/**
 * Serves one route of a feature.
 *
 * @param find - of a route below a decision: finds what a request names
 */
export function addFeatureRoute(
  scope: FastifyInstance,
  route: MountedRoute,
  where: Pick<RouteOptions, "url" | "errorHandler">,
  { reading, logger }: FeatureOptions,
  find?: (request: FastifyRequest) => Target | ErrorCode,
): void {
  const safe = neverThrowing(logger);
  scope.route({
    ...where,
    method: route.method,
    handler: async (request, reply) => {
      const { body } = request;
      const target = find?.(request);
      if (typeof target === "string") return refuse(route, tableReply(target), request, reply);
      if (body !== undefined && !isJson(request.headers["content-type"]))
        return refuse(route, tableReply("UNSUPPORTED_MEDIA_TYPE"), request, reply);
      const received = {
        ...receivedOf(request, reply),
        body,
        source: request,
        origin: () => reading.origin(request),
        isGone: () => reply.raw.closed,
        asked: target && { target, input: body, sent: undefined },
      };
      const answer = await route.answer(received, (thrown) => {
        const { requestId } = received;
        safe.error({ err: readable(thrown), requestId, facade: route.feature }, "Facade failed");
      });
      return send(reply, answer);
    },
  });
}

/** Where the plugin has a route. Not as a parameter, whose length Fastify limits. */
function at(route: MountedRoute): Pick<RouteOptions, "url" | "errorHandler"> {
  const url = route.hasParameter ? `${route.base}/*` : route.base;
  return { url, ...errorsOf(route) };
}

/** Replies to what is refused before the feature sees it, and leaves everything else to the host. */
export function errorsOf(route: MountedRoute): Pick<RouteOptions, "errorHandler"> {
  return {
    errorHandler: (error, request, reply) => {
      const problem = bodyProblem(error, request);
      const own = route.isFacade ? hostRefusal(error) : undefined;
      const refusal = problem === undefined ? own : tableReply(problem);
      // A rejection, unlike `send`, also passes on values that aren't errors.
      return refusal === undefined ? Promise.reject(error) : refuse(route, refusal, request, reply);
    },
  };
}

/** What the host's own hooks refuse, such as a caller without a key. Their errors stay the host's. */
function hostRefusal(error: unknown): ErrorReply | undefined {
  const statusCode =
    typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : undefined;
  if (typeof statusCode !== "number" || ((statusCode < 400 || statusCode > 499) && statusCode !== 503))
    return undefined;
  return toErrorReply(new DecernError("EVALUATION_ABORTED", { statusCode, cause: error }));
}

function refuse(
  route: MountedRoute,
  error: ErrorReply,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return send(reply, route.refuse(error, receivedOf(request, reply)));
}

function receivedOf(request: FastifyRequest, reply: FastifyReply): Parameters<MountedRoute["refuse"]>[1] {
  const { headers, params } = request;
  const rest: unknown = typeof params === "object" && params !== null ? Reflect.get(params, "*") : undefined;
  return {
    requestId: requestIdOf(request, reply),
    headers,
    rest: typeof rest === "string" ? rest : undefined,
  };
}

function send(
  reply: FastifyReply,
  { status, body, headers, afterwards }: ReturnType<MountedRoute["refuse"]>,
): FastifyReply {
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
  if (body !== undefined && headers["content-type"] === undefined)
    reply.header("content-type", "application/json; charset=utf-8");
  return reply.send(body);
}
