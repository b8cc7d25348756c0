import {
  createRequestHandler,
  decisionOptionKinds,
  type OptionTable,
  optionKinds,
  prepareDecision,
} from "@decern/core/host";
import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import type { CheckedInput } from "./checked-input.js";
import type { DecisionHandlerOptions } from "./options.js";
import { perHost } from "./per-host.js";
import { replyWithDecision } from "./reply-with-decision.js";

/** The kinds of {@link DecisionHandlerOptions}. */
export const handlerOptionKinds: OptionTable<DecisionHandlerOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  onResult: optionKinds.callback,
};

/**
 * Makes the handler of one decision, for a route of the host's own.
 *
 * @returns a handler that replies with the result envelope
 * @throws DecernError `INVALID_OPTIONS` for options that do not exist, are of a wrong kind or contradict, and a profile that breaks its schema
 *
 * @example
 * ```ts
 * app.post("/apply", createDecisionHandler({ decision: loanApproval, profileResolver: (request) => limitsOf(request) }));
 * ```
 */
export function createDecisionHandler<
  Output,
  Profile,
  Request extends FastifyRequest = FastifyRequest,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionHandlerOptions<Output, Profile, Request> & CheckedInput<Input, Mapped, Request>,
): RouteHandlerMethod {
  const general: DecisionHandlerOptions<Output, Profile> = options;
  const decision = prepareDecision("createDecisionHandler", general, handlerOptionKinds);
  const { inputMapper, profileResolver } = general;
  const handlerOf = perHost(general, (runner) =>
    createRequestHandler<FastifyRequest, Output>(runner, decision, {
      input: inputMapper ?? bodyOf,
      profile: profileResolver,
    }),
  );
  return (request, reply) =>
    new Promise((resolve, reject) => {
      replyWithDecision(handlerOf(request), general, request, reply, (failure) => {
        if (failure === undefined) resolve(reply);
        else reject(failure);
      });
    });
}

/** The default input. */
export function bodyOf(request: FastifyRequest): unknown {
  return request.body;
}
