import type { Feature, Logger, MetricsFeature, ProfileOverride } from "@decern/core";
import { type LoadGate, type MountedRoute, tableReply, wrongMethods } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { restOf, sendAnswer, sendError, sendJson } from "../reply/send.js";
import { evaluationPath, pinnedPath, targetOf } from "../request/admission.js";
import { originOf, readEvaluationBody, takeJsonOnly } from "../request/body.js";

interface FeatureOptions {
  readonly logger: Logger;
  readonly profileOverride: ProfileOverride;
  /** The gate that a request entered, to be left once it has its reply. */
  readonly load: LoadGate | undefined;
}

/** Makes what serves a request of a feature. */
function server({ logger, load }: FeatureOptions) {
  const safe = neverThrowing(logger);
  return async (
    route: MountedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    asked?: Parameters<MountedRoute["answer"]>[0]["asked"],
  ): Promise<FastifyReply> => {
    const { id: requestId, headers, body } = request;
    const received = {
      requestId,
      headers,
      body,
      rest: restOf(request),
      source: request,
      asked,
      origin: () => originOf(request),
      isGone: () => reply.raw.closed,
    };
    const answer = await route.answer(received, (thrown) => {
      safe.error({ err: readable(thrown), requestId, facade: route.feature }, "Facade failed");
    });
    load?.leave(reply.raw);
    return sendAnswer(reply, answer);
  };
}

/** Serves the routes of features. What the server refuses on those of a facade is replied in its protocol's form. */
export function featureRoutes(
  app: FastifyInstance,
  routes: readonly MountedRoute[],
  options: FeatureOptions,
): void {
  const serve = server(options);
  const serveOfDecision = (route: MountedRoute, request: FastifyRequest, reply: FastifyReply) => {
    const target = targetOf(request);
    const read = readEvaluationBody(request.body, target.served, options.profileOverride);
    if (!("refusal" in read)) return serve(route, request, reply, { target, ...read });
    sendJson(reply, read.refusal.status, read.refusal.body);
    return reply;
  };
  app.register(async (scope) => {
    takeJsonOnly(scope);
    for (const route of routes) {
      const { method, open, vital } = route;
      if (!route.ofDecision) {
        scope.route({
          ...at(route),
          method,
          handler: (request, reply) => serve(route, request, reply),
        });
        continue;
      }
      const config = { decern: { open, vital, ofDecision: true } };
      for (const path of [evaluationPath, pinnedPath]) {
        const url = path + route.path;
        scope.route({
          url,
          config,
          method,
          handler: (request, reply) => serveOfDecision(route, request, reply),
        });
      }
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
  const { base, hasParameter, isFacade, open, vital } = route;
  const facade = isFacade ? route : undefined;
  return { url: hasParameter ? `${base}/*` : base, config: { decern: { open, vital, facade } } };
}

/** Metrics as a feature: its page is in the format that the scraper requests. @param open - whether it needs no authentication */
export function metricsPage({ endpoint, observer, render }: MetricsFeature, open: boolean): Feature {
  return {
    name: "metrics",
    observer,
    routes: () => [
      {
        method: "GET",
        path: endpoint,
        open,
        vital: true,
        answer({ headers: { accept } }) {
          const { contentType, body } = render(typeof accept === "string" ? accept : undefined);
          return { status: 200, body, headers: { "content-type": contentType } };
        },
      },
    ],
  };
}
