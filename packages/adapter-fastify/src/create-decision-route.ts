import { checkOptions, type OptionTable, optionKinds } from "@decern/core/host";
import type { FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import { bodyErrors } from "./body-errors.js";
import type { CheckedInput } from "./checked-input.js";
import { createDecisionHandler, handlerOptionKinds } from "./create-decision-handler.js";
import type { DecisionHandlerOptions } from "./options.js";
import { rememberBody } from "./remember-body.js";

/** What {@link createDecisionRoute} takes. */
export interface DecisionRouteOptions<Output, Profile, Request extends FastifyRequest = FastifyRequest>
  extends DecisionHandlerOptions<Output, Profile, Request> {
  readonly url: string;
  /** @default "POST" */
  readonly method?: HTTPMethods | HTTPMethods[] | undefined;
}

const { either, listOf, nonEmptyText, text } = optionKinds;

const kinds: OptionTable<DecisionRouteOptions<unknown, unknown>> = {
  ...handlerOptionKinds,
  // Fastify says which URLs and methods it takes when the route is registered.
  url: text,
  method: either(
    "must be a method such as POST, or a list of some",
    nonEmptyText,
    listOf(nonEmptyText, { nonEmpty: true }),
  ),
};

/**
 * Makes a route that answers with one decision.
 *
 * @returns options for `app.route`; spread them to add hooks of your own
 * @throws DecernError `INVALID_OPTIONS` as `createDecisionHandler` does
 *
 * @example
 * ```ts
 * app.route({ ...createDecisionRoute({ url: "/apply", decision: loanApproval, profile }), onRequest: requireLogin });
 * ```
 */
export function createDecisionRoute<
  Output,
  Profile,
  Request extends FastifyRequest = FastifyRequest,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionRouteOptions<Output, Profile, Request> & CheckedInput<Input, Mapped, Request>,
): RouteOptions {
  checkOptions("createDecisionRoute", options, { kinds, required: ["url", "decision"] });
  const { url, method = "POST", ...rest } = options;
  return { ...rememberBody, ...bodyErrors, url, method, handler: createDecisionHandler(rest) };
}
