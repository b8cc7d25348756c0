import {
  createOriginReader,
  createRequestHandler,
  decisionOptionKinds,
  EvaluationPipeline,
  prepareDecision,
} from "@decern/core/host";
import { type OptionTable, optionKinds } from "@decern/core/tools";
import type { Request } from "express";
import type { DecisionMiddlewareOptions, DecisionRequestHandler } from "./options.js";
import { bodyOf, requestAccess } from "./request.js";
import { createResponder } from "./responder.js";

const kinds: OptionTable<DecisionMiddlewareOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  onResult: optionKinds.callback,
  bodyLimit: optionKinds.wholeNumber,
};

/**
 * Makes a middleware that replies with one decision, for one of the host's own routes.
 *
 * @returns a middleware that replies with the result envelope
 * @throws DecernError `INVALID_OPTIONS` for options that are unknown, of the wrong kind or contradictory, and for a profile
 *   that breaks its schema
 *
 * @example
 * ```ts
 * app.post("/apply", requireLogin, createDecisionMiddleware({ decision: loanApproval, profileResolver: (req) => limitsOf(req) }));
 * ```
 */
export function createDecisionMiddleware<
  Output,
  Profile,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
>(options: DecisionMiddlewareOptions<Output, Profile, Input, Mapped, RuleId>): DecisionRequestHandler;
// Apart from the signature above: what evaluates a decision does not tell the ids of its rules.
export function createDecisionMiddleware<Output, Profile>(
  options: DecisionMiddlewareOptions<Output, Profile>,
): DecisionRequestHandler {
  const decision = prepareDecision("createDecisionMiddleware", options, kinds);
  const { inputMapper, profileResolver, caller, onResult, bodyLimit } = options;
  const handler = createRequestHandler<Request, Output>(new EvaluationPipeline(options), decision, {
    input: inputMapper ?? bodyOf,
    profile: profileResolver,
    origin: createOriginReader(requestAccess, caller),
  });
  return createResponder(() => handler, { hasInputMapper: inputMapper !== undefined, onResult, bodyLimit });
}
