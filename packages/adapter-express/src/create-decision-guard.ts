import { DecernError } from "@decern/core";
import {
  createSingleService,
  decisionRows,
  guard,
  Handler,
  hasForbiddenKey,
  verdictProblems,
} from "@decern/core/host";
import { kinds, option, type RowsOf } from "@decern/core/options";
import { ExpressExchange } from "./exchange.js";
import type { DecisionGuardOptions, DecisionRequestHandler } from "./options.js";
import { readingOf } from "./request.js";

const rows = {
  ...decisionRows,
  isDenied: option(kinds.callback<never>()),
  onDeny: option(kinds.callback<never>()),
} satisfies RowsOf<DecisionGuardOptions<unknown, unknown>>;

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
// Apart from the signature above: a service does not tell the types of its decision.
export function createDecisionGuard(options: DecisionGuardOptions<unknown, unknown>): DecisionRequestHandler {
  const service = createSingleService("createDecisionGuard", options, {
    rows,
    check: ({ defaults }) => defaults.flatMap((decision) => verdictProblems(decision, options.isDenied)),
  });
  const { inputMapper, isDenied, onDeny } = options;
  const reading = readingOf(options);
  const handler = new Handler(service);
  return (request, response, next) => {
    const exchange = new ExpressExchange(request, response, next, reading);
    if (inputMapper === undefined && hasForbiddenKey(request.body)) {
      exchange.fail(new DecernError("FORBIDDEN_KEY"), exchange.requestId);
    } else {
      guard(handler, exchange, service.only, isDenied, exchange.callback(onDeny));
    }
  };
}
