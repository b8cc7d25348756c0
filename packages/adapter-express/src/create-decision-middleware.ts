import { createSingleService, decisionRows, Handler } from "@decern/core/host";
import { kinds, option, type RowsOf } from "@decern/core/options";
import type { DecisionMiddlewareOptions, DecisionRequestHandler } from "./options.js";
import { readingOf } from "./request.js";
import { createResponder } from "./responder.js";

const rows = {
  ...decisionRows,
  onResult: option(kinds.callback<never>()),
  bodyLimit: option(kinds.wholeNumber),
} satisfies RowsOf<DecisionMiddlewareOptions<unknown, unknown>>;

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
// Apart from the signature above: a service does not tell the types of its decision.
export function createDecisionMiddleware(
  options: DecisionMiddlewareOptions<unknown, unknown>,
): DecisionRequestHandler {
  const service = createSingleService("createDecisionMiddleware", options, { rows });
  const { inputMapper, onResult, bodyLimit } = options;
  const hasInputMapper = inputMapper !== undefined;
  const reading = readingOf(options);
  return createResponder(new Handler(service), () => service.only, {
    reading,
    hasInputMapper,
    onResult,
    bodyLimit,
  });
}
