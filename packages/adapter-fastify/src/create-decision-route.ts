import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import type {
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from "fastify";
import { createDecisionHandler, handlerOptionKinds } from "./create-decision-handler.js";
import type { DecisionHandler } from "./decision-handler.js";
import type { DecisionHandlerOptions } from "./options.js";
import { bodyErrors } from "./request/body-errors.js";
import { rememberBody } from "./request/forbidden-keys.js";

/** Options of {@link createDecisionRoute}. */
export interface DecisionRouteOptions<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
> extends DecisionHandlerOptions<Output, Profile, Route, Input, Mapped, RuleId> {
  readonly url: string;
  /** @default "POST" */
  readonly method?: HTTPMethods | HTTPMethods[] | undefined;
}

/** Options for `app.route`. */
export type DecisionRoute<Route extends RouteGenericInterface = RouteGenericInterface> = Omit<
  RouteOptions<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Route>,
  "handler"
> & { handler: DecisionHandler<Route> };

const { either, listOf, nonEmptyText, text } = optionKinds;

const kinds: OptionTable<DecisionRouteOptions<unknown, unknown>> = {
  ...handlerOptionKinds,
  // Fastify checks URLs and methods when the route is registered.
  url: text,
  method: either(
    "must be a method such as POST, or a list of methods",
    nonEmptyText,
    listOf(nonEmptyText, { nonEmpty: true }),
  ),
};

/**
 * Makes a route that replies with one decision.
 *
 * @returns options for `app.route`; spread them to add your own hooks
 * @throws DecernError `INVALID_OPTIONS` for the same reasons as `createDecisionHandler`
 *
 * @example
 * ```ts
 * app.route({ ...createDecisionRoute({ url: "/apply", decision: loanApproval, profile }), onRequest: requireLogin });
 * ```
 */
export function createDecisionRoute<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
>(options: DecisionRouteOptions<Output, Profile, Route, Input, Mapped, RuleId>): DecisionRoute<Route> {
  checkOptions("createDecisionRoute", options, { kinds, required: ["url", "decision"] });
  const { url, method = "POST", ...rest } = options;
  return { ...rememberBody, ...bodyErrors, url, method, handler: createDecisionHandler(rest) };
}
