import type { FastifyRequest, HTTPMethods, RouteOptions } from "fastify";
import { bodyErrors } from "./body-errors.js";
import { createDecisionHandler } from "./create-decision-handler.js";
import type { DecisionHandlerOptions } from "./options.js";
import { rememberBody } from "./remember-body.js";

/** What {@link createDecisionRoute} takes. */
export interface DecisionRouteOptions<Output, Profile, Request extends FastifyRequest = FastifyRequest>
  extends DecisionHandlerOptions<Output, Profile, Request> {
  readonly url: string;
  /** @default "POST" */
  readonly method?: HTTPMethods | HTTPMethods[] | undefined;
}

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
export function createDecisionRoute<Output, Profile, Request extends FastifyRequest = FastifyRequest>(
  options: DecisionRouteOptions<Output, Profile, Request>,
): RouteOptions {
  const { url, method = "POST", ...rest } = options;
  return { ...rememberBody, ...bodyErrors, url, method, handler: createDecisionHandler(rest) };
}
