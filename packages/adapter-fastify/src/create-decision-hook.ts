import { createSingleService, decisionRows, guard, type Handler, verdictProblems } from "@decern/core/host";
import { kinds, option, type RowsOf } from "@decern/core/options";
import type {
  FastifyRequest,
  preHandlerHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from "fastify";
import { FastifyExchange } from "./exchange.js";
import type { DecisionHookOptions } from "./options.js";
import { readingOf } from "./request.js";
import { handlerPerHost } from "./responder.js";

const rows = {
  ...decisionRows,
  isDenied: option(kinds.callback<never>()),
  onDeny: option(kinds.callback<never>()),
} satisfies RowsOf<DecisionHookOptions<unknown, unknown>>;

/**
 * Makes a hook that lets a request through when a decision allows it, and fails closed.
 *
 * @returns a `preHandler` hook; the result is at `request.decision`
 * @throws DecernError `INVALID_OPTIONS` for the same reasons as `createDecisionHandler`, and for a decision whose output has
 *   no field that allows or denies if there is no `isDenied`
 *
 * @example
 * ```ts
 * app.get("/reports", { preHandler: createDecisionHook({ decision: canRead, inputMapper }) }, handler);
 * ```
 */
export function createDecisionHook<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
>(
  options: DecisionHookOptions<Output, Profile, Route, Input, Mapped, RuleId>,
): preHandlerHookHandler<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Route>;
// Apart from the signature above: a service does not tell the types of its decision.
export function createDecisionHook<Route extends RouteGenericInterface = RouteGenericInterface>(
  options: DecisionHookOptions<unknown, unknown, Route>,
): preHandlerHookHandler<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Route> {
  const service = createSingleService<FastifyRequest<Route>>("createDecisionHook", options, {
    rows,
    check: ({ defaults }) => defaults.flatMap((decision) => verdictProblems(decision, options.isDenied)),
  });
  const { isDenied, onDeny } = options;
  const reading = readingOf<Route>(options);
  const handlerOf = handlerPerHost(service);
  return (request, reply, done) => {
    const exchange = new FastifyExchange(request, reply, reading, "hook", done);
    // What making the handler throws denies, as what it throws itself does.
    const handler = {
      run: (...asked: Parameters<Handler<typeof request>["run"]>) => handlerOf(request).run(...asked),
    };
    guard(handler, exchange, service.only, isDenied, exchange.callback(onDeny));
  };
}
