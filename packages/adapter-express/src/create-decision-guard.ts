import { DecernError } from "@decern/core";
import {
  createAccessCheck,
  createRequestHandler,
  decisionOptionKinds,
  EvaluationPipeline,
  guard,
  hasForbiddenKey,
  type OptionTable,
  optionKinds,
  prepareDecision,
} from "@decern/core/host";
import type { Request } from "express";
import type { CheckedInput } from "./checked-input.js";
import { bodyOf } from "./create-decision-middleware.js";
import type { DecisionRequestHandler } from "./decision-request-handler.js";
import { ExpressExchange } from "./express-exchange.js";
import type { DecisionGuardOptions } from "./options.js";

const { callback } = optionKinds;

const kinds: OptionTable<DecisionGuardOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  isDenied: callback,
  onDeny: callback,
};

/**
 * Makes a middleware that lets a request through when a decision says yes, and fails closed. It parses no body: put the
 * host's parser before it, or give an `inputMapper`.
 *
 * @returns a middleware that calls `next` on a clear yes only; the result is at `req.decision`
 * @throws DecernError `INVALID_OPTIONS` as `createDecisionMiddleware` does, and for a decision whose output says neither
 *   yes nor no when there is no `isDenied`
 *
 * @example
 * ```ts
 * app.get("/reports", createDecisionGuard({ decision: canRead, inputMapper: (req) => ({ role: req.get("x-role") }) }), handler);
 * ```
 */
export function createDecisionGuard<
  Output,
  Profile,
  Req extends Request = Request,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionGuardOptions<Output, Profile, Req> & CheckedInput<Input, Mapped, Req>,
): DecisionRequestHandler {
  const general: DecisionGuardOptions<Output, Profile> = options;
  const decision = prepareDecision("createDecisionGuard", general, kinds);
  const { inputMapper, profileResolver, isDenied, onDeny } = general;
  const reader = { input: inputMapper ?? bodyOf, profile: profileResolver };
  const handler = createRequestHandler<Request, Output>(new EvaluationPipeline(general), decision, reader);
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
