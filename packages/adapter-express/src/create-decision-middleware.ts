import {
  createRequestHandler,
  decisionOptionKinds,
  EvaluationPipeline,
  type OptionTable,
  optionKinds,
  prepareDecision,
} from "@decern/core/host";
import type { Request } from "express";
import type { CheckedInput } from "./checked-input.js";
import { createResponder } from "./create-responder.js";
import type { DecisionRequestHandler } from "./decision-request-handler.js";
import type { DecisionMiddlewareOptions } from "./options.js";

const kinds: OptionTable<DecisionMiddlewareOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  onResult: optionKinds.callback,
  bodyLimit: optionKinds.wholeNumber,
};

/**
 * Makes a middleware that answers with one decision, for a route of the host's own.
 *
 * @returns a middleware that replies with the result envelope
 * @throws DecernError `INVALID_OPTIONS` for options that do not exist, are of a wrong kind or contradict, and a profile that breaks its schema
 *
 * @example
 * ```ts
 * app.post("/apply", requireLogin, createDecisionMiddleware({ decision: loanApproval, profileResolver: (req) => limitsOf(req) }));
 * ```
 */
export function createDecisionMiddleware<
  Output,
  Profile,
  Req extends Request = Request,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionMiddlewareOptions<Output, Profile, Req> & CheckedInput<Input, Mapped, Req>,
): DecisionRequestHandler {
  const general: DecisionMiddlewareOptions<Output, Profile> = options;
  const decision = prepareDecision("createDecisionMiddleware", general, kinds);
  const { inputMapper, profileResolver } = general;
  const handler = createRequestHandler<Request, Output>(new EvaluationPipeline(general), decision, {
    input: inputMapper ?? bodyOf,
    profile: profileResolver,
  });
  return createResponder(handler, general);
}

/** The default input. */
export function bodyOf(request: Request): unknown {
  return request.body;
}
