import type { Decision, DecisionSetOptions, ErrorCode, EvaluatorOptions, KnownOptions } from "@decern/core";
import {
  createFeaturedService,
  decisionPath,
  decisionSetRows,
  Handler,
  prefixKind,
  type Target,
  wrongMethods,
} from "@decern/core/host";
import { kinds, option, type RowsOf } from "@decern/core/options";
import express, { type Request, type Router } from "express";
import type { BodyOptions } from "./options.js";
import { FeaturePath, readingOf, versionIn, versionPath } from "./request.js";
import { createFeatureResponder, createResponder, refuseMethods } from "./responder.js";

/** Options of {@link createDecisionRouter}. */
export interface DecisionRouterOptions<
  Decisions extends readonly Decision[] = readonly Decision[],
  Key extends PropertyKey = PropertyKey,
  Given extends PropertyKey = PropertyKey,
> extends EvaluatorOptions,
    DecisionSetOptions<Decisions, Key, Given>,
    BodyOptions {
  /** Path segments before the decision's id: `x`, `/x` and `/x/` are the same. @default none */
  readonly prefix?: string | undefined;
  /** Returns the caller's name, for rules, hooks, observers, `profileResolver` and `select`. @default no caller */
  readonly caller?: ((request: Request) => string | undefined) | undefined;
}

const rows = {
  ...decisionSetRows,
  prefix: option(prefixKind),
  caller: option(kinds.callback<never>()),
  bodyLimit: option(kinds.wholeNumber),
} satisfies RowsOf<DecisionRouterOptions>;

/**
 * Makes a router that serves decisions, each at `POST <mount>/<prefix>/<id>`, and each version at
 * `POST <mount>/<prefix>/<id>/versions/<version>`.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * app.use("/api", createDecisionRouter({ decisions: [loanApproval], prefix: "decisions" }));
 * ```
 */
export function createDecisionRouter<
  const Decisions extends readonly Decision[],
  Key extends PropertyKey = never,
  Given extends PropertyKey = never,
>(options: DecisionRouterOptions<Decisions, Key, Given> & KnownOptions<Given, DecisionRouterOptions>): Router;
// Apart from the signature above, whose parameters only check what is written.
export function createDecisionRouter(options: DecisionRouterOptions): Router {
  const { service, routes } = createFeaturedService("createDecisionRouter", options, { rows });
  const { prefix, bodyLimit } = options;
  const { catalogue, logger } = service;
  const reading = readingOf(options);
  const bodies = { reading, hasInputMapper: false, bodyLimit };
  const serving = { reading, logger, bodyLimit };
  const handler = new Handler(service);
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const id of catalogue.current.ids) {
    const path = decisionPath(prefix, id);
    const findVersion = (request: Pick<Request, "path">): Target | ErrorCode => {
      const version = versionIn(request, path);
      return version === undefined ? "VERSION_NOT_FOUND" : catalogue.find(id, version);
    };
    router.post(
      path,
      createResponder(handler, () => catalogue.find(id), bodies),
    );
    router.post(versionPath(path), createResponder(handler, findVersion, bodies));
    for (const route of routes.filter(({ ofDecision }) => ofDecision)) {
      const own = createFeatureResponder(route, { ...serving, find: () => catalogue.find(id) });
      const pinned = createFeatureResponder(route, { ...serving, find: findVersion });
      const method = route.method === "GET" ? "get" : "post";
      router[method](path + route.path, own);
      router[method](versionPath(path, route.path), pinned);
    }
  }
  for (const route of routes) {
    if (route.ofDecision) continue;
    const path = new FeaturePath(route);
    const respond = createFeatureResponder(route, {
      ...serving,
      restOf: (request) => path.restOf(request.path),
    });
    router[route.method === "GET" ? "get" : "post"](path.pattern, respond);
  }
  for (const { route, allow } of wrongMethods(routes)) {
    const path = new FeaturePath(route);
    router.all(path.pattern, refuseMethods(route, path, allow));
  }
  return router;
}
