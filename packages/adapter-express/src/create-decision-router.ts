import type { Decision, DecisionSetOptions, EvaluatorOptions, KnownOptions } from "@decern/core";
import {
  CallChooser,
  createOriginReader,
  DecisionHandlers,
  decisionPath,
  decisionSetOptionKinds,
  evaluatorOptionKinds,
  loggerOf,
  mountFacades,
  prefixKind,
  prepareCatalogue,
  Runner,
  wrongMethods,
} from "@decern/core/host";
import { type OptionTable, optionKinds, optionProblems } from "@decern/core/tools";
import express, { type Request, type Router } from "express";
import type { BodyOptions } from "./options.js";
import { bodyOf, FacadePath, requestAccess, versionIn, versionPath } from "./request.js";
import { createFacadeResponder, createResponder, refuseMethods } from "./responder.js";

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

const kinds: OptionTable<DecisionRouterOptions> = {
  ...decisionSetOptionKinds,
  prefix: prefixKind,
  caller: optionKinds.callback,
  bodyLimit: optionKinds.wholeNumber,
  ...evaluatorOptionKinds,
};

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
  const problems = optionProblems(options, { kinds, required: ["decisions"] });
  const catalogue = prepareCatalogue("createDecisionRouter", options, problems);
  const { prefix, bodyLimit, caller, profileResolver } = options;
  const runner = new Runner(options);
  const origin = createOriginReader(requestAccess, caller);
  const reader = { input: bodyOf, origin };
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [id, hosted] of catalogue.decisions) {
    const chooser = new CallChooser(catalogue, hosted, { profileResolver }, hosted.shadow);
    const handlers = new DecisionHandlers<Request>(runner, hosted, chooser, reader);
    const path = decisionPath(prefix, id);
    const bodies = { hasInputMapper: false, bodyLimit };
    router.post(
      path,
      createResponder(() => handlers.standard, bodies),
    );
    router.post(
      versionPath(path),
      createResponder((request) => handlers.find(versionIn(request)), bodies),
    );
  }
  const logger = loggerOf(options.logger);
  const facades = mountFacades(options.facades, { catalogue, runner, policy: { profileResolver } });
  for (const route of facades) {
    const path = new FacadePath(route);
    const respond = createFacadeResponder(route, { path, origin, logger, bodyLimit });
    if (route.method === "GET") router.get(path.pattern, respond);
    else router.post(path.pattern, respond);
  }
  for (const { route, allow } of wrongMethods(facades)) {
    const path = new FacadePath(route);
    router.all(path.pattern, refuseMethods(route, path, allow));
  }
  return router;
}
