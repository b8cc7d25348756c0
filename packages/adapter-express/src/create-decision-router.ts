import type { Decision, EvaluatorOptions, ProfilesOf } from "@decern/core";
import {
  createRequestHandler,
  decisionPath,
  EvaluationPipeline,
  evaluatorOptionKinds,
  type OptionTable,
  optionKinds,
  optionProblems,
  prefixKind,
  prepareCatalogue,
} from "@decern/core/host";
import express, { type Request, type Router } from "express";
import { bodyOf } from "./create-decision-middleware.js";
import { createResponder } from "./create-responder.js";
import type { BodyOptions } from "./options.js";

/** What {@link createDecisionRouter} takes. */
export interface DecisionRouterOptions<Decisions extends readonly Decision[] = readonly Decision[]>
  extends EvaluatorOptions,
    BodyOptions {
  readonly decisions: Decisions;
  /** Profiles by decision id, checked at registration. */
  readonly profiles?: ProfilesOf<Decisions> | undefined;
  /** Path segments before the decision's id: `x`, `/x` and `/x/` are the same. @default none */
  readonly prefix?: string | undefined;
}

const kinds: OptionTable<DecisionRouterOptions> = {
  // `prepareCatalogue` looks into both.
  decisions: optionKinds.listOf(optionKinds.anything),
  profiles: optionKinds.object,
  prefix: prefixKind,
  bodyLimit: optionKinds.wholeNumber,
  ...evaluatorOptionKinds,
};

/**
 * Makes a router that serves decisions, each at `POST <mount>/<prefix>/<id>`.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * app.use("/api", createDecisionRouter({ decisions: [loanApproval], prefix: "decisions" }));
 * ```
 */
export function createDecisionRouter<const Decisions extends readonly Decision[]>(
  options: DecisionRouterOptions<Decisions>,
): Router {
  const problems = optionProblems(options, { kinds, required: ["decisions"] });
  const catalogue = prepareCatalogue("createDecisionRouter", options, problems);
  const { prefix, bodyLimit } = options;
  const pipeline = new EvaluationPipeline(options);
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const decision of catalogue.values()) {
    const handler = createRequestHandler<Request, unknown>(pipeline, decision, { input: bodyOf });
    router.post(decisionPath(prefix, decision.id), createResponder(handler, { bodyLimit }));
  }
  return router;
}
