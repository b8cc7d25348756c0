import {
  createOriginReader,
  createRequestHandler,
  decisionOptionKinds,
  prepareDecision,
} from "@decern/core/host";
import { type OptionTable, optionKinds } from "@decern/core/tools";
import type { FastifyRequest, RouteGenericInterface } from "fastify";
import type { DecisionHandler } from "./decision-handler.js";
import type { DecisionHandlerOptions } from "./options.js";
import { perHost } from "./per-host.js";
import { createResponder } from "./reply/create-responder.js";
import { bodyOf } from "./request/body-of.js";
import { requestAccess } from "./request/request-access.js";

/** The kinds of {@link DecisionHandlerOptions}. */
export const handlerOptionKinds: OptionTable<DecisionHandlerOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  onResult: optionKinds.callback,
};

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
// Apart from the signature above: what evaluates a decision does not tell the ids of its rules.
export function createDecisionHandler<
  Output,
  Profile,
  Route extends RouteGenericInterface = RouteGenericInterface,
>(options: DecisionHandlerOptions<Output, Profile, Route>): DecisionHandler<Route> {
  const decision = prepareDecision("createDecisionHandler", options, handlerOptionKinds);
  const { inputMapper, profileResolver, caller, onResult } = options;
  const origin = createOriginReader(requestAccess, caller);
  const responderOf = perHost(options, (pipeline) => {
    const reader = { input: inputMapper ?? bodyOf, profile: profileResolver, origin };
    const handler = createRequestHandler<FastifyRequest<Route>, Output>(pipeline, decision, reader);
    return createResponder(() => handler, { hasInputMapper: inputMapper !== undefined, onResult });
  });
  return (request, reply) =>
    new Promise((resolve, reject) => {
      responderOf(request)(request, reply, (failure) => {
        if (failure === undefined) reply.then(resolve, reject);
        else reject(failure);
      });
    });
}
