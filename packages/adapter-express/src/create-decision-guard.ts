import { DecernError } from "@decern/core";
import {
  createAccessCheck,
  createOriginReader,
  createRequestHandler,
  decisionOptionKinds,
  EvaluationPipeline,
  guard,
  prepareDecision,
} from "@decern/core/host";
import { hasForbiddenKey, type OptionTable, optionKinds } from "@decern/core/tools";
import type { Request } from "express";
import { ExpressExchange } from "./exchange.js";
import type { DecisionGuardOptions, DecisionRequestHandler } from "./options.js";
import { bodyOf, requestAccess } from "./request.js";

const { callback } = optionKinds;

const kinds: OptionTable<DecisionGuardOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  isDenied: callback,
  onDeny: callback,
};

/**
 * Makes a middleware that lets a request through when a decision allows it, and fails closed. It doesn't parse bodies: put
 * the host's parser before it, or give an `inputMapper`.
 *
 * @returns a middleware that calls `next` only if the decision clearly allows it; the result is at `req.decision`
 * @throws DecernError `INVALID_OPTIONS` for the same reasons as `createDecisionMiddleware`, and for a decision whose output
 *   has no field that allows or denies if there is no `isDenied`
 *
 * @example
 * ```ts
 * app.get("/reports", createDecisionGuard({ decision: canRead, inputMapper: (req) => ({ role: req.get("x-role") }) }), handler);
 * ```
 */
export function createDecisionGuard<
  Output,
  Profile,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
>(options: DecisionGuardOptions<Output, Profile, Input, Mapped, RuleId>): DecisionRequestHandler;
// Apart from the signature above: what evaluates a decision does not tell the ids of its rules.
export function createDecisionGuard<Output, Profile>(
  options: DecisionGuardOptions<Output, Profile>,
): DecisionRequestHandler {
  const decision = prepareDecision("createDecisionGuard", options, kinds);
  const { inputMapper, profileResolver, caller, isDenied, onDeny } = options;
  const origin = createOriginReader(requestAccess, caller);
  const reader = { input: inputMapper ?? bodyOf, profile: profileResolver, origin };
  const handler = createRequestHandler<Request, Output>(new EvaluationPipeline(options), decision, reader);
  const check = createAccessCheck(decision, handler, isDenied);
  return (request, response, next) => {
    const exchange = new ExpressExchange(request, response, next);
    if (inputMapper === undefined && hasForbiddenKey(request.body)) {
      exchange.fail(new DecernError("FORBIDDEN_KEY"), exchange.requestId);
    } else {
      guard(check, request, exchange, exchange.callback(onDeny));
    }
  };
}
