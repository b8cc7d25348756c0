import {
  type AccessCheck,
  createAccessCheck,
  createOriginReader,
  createRequestHandler,
  decisionOptionKinds,
  guard,
  prepareDecision,
} from "@decern/core/host";
import { type OptionTable, optionKinds } from "@decern/core/tools";
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
import { bodyOf, requestAccess } from "./request.js";
import { perHost } from "./responder.js";

const { callback } = optionKinds;

const kinds: OptionTable<DecisionHookOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  isDenied: callback,
  onDeny: callback,
};

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
// Apart from the signature above: what evaluates a decision does not tell the ids of its rules.
export function createDecisionHook<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
>(
  options: DecisionHookOptions<Output, Profile, Route>,
): preHandlerHookHandler<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Route> {
  const decision = prepareDecision("createDecisionHook", options, kinds);
  const { inputMapper, profileResolver, caller, isDenied, onDeny } = options;
  const origin = createOriginReader(requestAccess, caller);
  const checkOf = perHost(options, (pipeline) => {
    const reader = { input: inputMapper ?? bodyOf, profile: profileResolver, origin };
    const handler = createRequestHandler<FastifyRequest<Route>, Output>(pipeline, decision, reader);
    return createAccessCheck(decision, handler, isDenied);
  });
  // `guard` calls this, so that it may throw.
  const check: AccessCheck<FastifyRequest<Route>, Output> = (request, ...rest) =>
    checkOf(request)(request, ...rest);
  return (request, reply, done) => {
    const exchange = new FastifyExchange(request, reply, "hook", done);
    guard(check, request, exchange, exchange.callback(onDeny));
  };
}
