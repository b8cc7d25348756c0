import { createSingleService, decisionRows } from "@decern/core/host";
import { checkedOptions, type Kind, kinds, option, type RowsOf, requiredOption } from "@decern/core/options";
import type {
  FastifyRequest,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from "fastify";
import { bodyErrors } from "./body-errors.js";
import type { DecisionHandler, DecisionHandlerOptions } from "./options.js";
import { readingOf, rememberBody } from "./request.js";
import { createResponder, handlerPerHost } from "./responder.js";

const handlerRows = {
  ...decisionRows,
  onResult: option(kinds.callback<never>()),
} satisfies RowsOf<DecisionHandlerOptions<unknown, unknown>>;

/**
 * Makes the handler of one decision, for one of the host's own routes.
 *
 * @returns a handler that replies with the result envelope
 * @throws DecernError `INVALID_OPTIONS` for options that are unknown, of the wrong kind or contradictory, and for a profile
 *   that breaks its schema
 *
 * @example
 * ```ts
 * app.post("/apply", createDecisionHandler({ decision: loanApproval, profileResolver: (request) => limitsOf(request) }));
 * ```
 */
export function createDecisionHandler<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
  Input = unknown,
  Mapped = unknown,
  RuleId extends string = string,
>(options: DecisionHandlerOptions<Output, Profile, Route, Input, Mapped, RuleId>): DecisionHandler<Route>;

// Apart from the signature above: a service does not tell the types of its decision.
export function createDecisionHandler<Route extends RouteGenericInterface = RouteGenericInterface>(
  options: DecisionHandlerOptions<unknown, unknown, Route>,
): DecisionHandler<Route> {
  const rows = handlerRows;
  const service = createSingleService<FastifyRequest<Route>>("createDecisionHandler", options, { rows });
  const { inputMapper, onResult } = options;
  const hasInputMapper = inputMapper !== undefined;
  const reading = readingOf<Route>(options);
  const respond = createResponder<Route>(handlerPerHost(service), () => service.only, {
    reading,
    hasInputMapper,
    onResult,
  });
  return (request, reply) =>
    new Promise((resolve, reject) => {
      respond(request, reply, (failure) => {
        if (failure === undefined) reply.then(resolve, reject);
        else reject(failure);
      });
    });
}

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

const methods = kinds.either(
  "must be a method such as POST, or a list of methods",
  kinds.nonEmptyText,
  kinds.listOf(kinds.nonEmptyText, { nonEmpty: true }),
);

const methodKind: Kind<HTTPMethods | HTTPMethods[]> = (value, path) => methods(value, path);

const routeRows = {
  ...handlerRows,
  // Fastify checks URLs and methods when the route is registered.
  url: requiredOption(kinds.text),
  method: option(methodKind),
} satisfies RowsOf<DecisionRouteOptions<unknown, unknown>>;

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
  checkedOptions("createDecisionRoute", options, routeRows);
  const { url, method = "POST", ...rest } = options;
  return { ...rememberBody, ...bodyErrors, url, method, handler: createDecisionHandler(rest) };
}
