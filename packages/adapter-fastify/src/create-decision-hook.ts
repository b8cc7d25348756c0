import {
  type AccessCheck,
  createAccessCheck,
  createRequestHandler,
  decisionOptionKinds,
  guard,
  type OptionTable,
  optionKinds,
  prepareDecision,
} from "@decern/core/host";
import type { FastifyRequest, preHandlerHookHandler } from "fastify";
import type { CheckedInput } from "./checked-input.js";
import { bodyOf } from "./create-decision-handler.js";
import { FastifyExchange } from "./fastify-exchange.js";
import type { DecisionHookOptions } from "./options.js";
import { perHost } from "./per-host.js";

const { callback } = optionKinds;

const kinds: OptionTable<DecisionHookOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  isDenied: callback,
  onDeny: callback,
};

/**
 * Makes a hook that lets a request through when a decision says yes, and fails closed.
 *
 * @returns a `preHandler` hook; the result is at `request.decision`
 * @throws DecernError `INVALID_OPTIONS` as `createDecisionHandler` does, and for a decision whose output says neither yes
 *   nor no when there is no `isDenied`
 *
 * @example
 * ```ts
 * app.get("/reports", { preHandler: createDecisionHook({ decision: canRead, inputMapper }) }, handler);
 * ```
 */
export function createDecisionHook<
  Output,
  Profile,
  Request extends FastifyRequest = FastifyRequest,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionHookOptions<Output, Profile, Request> & CheckedInput<Input, Mapped, Request>,
): preHandlerHookHandler {
  const general: DecisionHookOptions<Output, Profile> = options;
  const decision = prepareDecision("createDecisionHook", general, kinds);
  const { inputMapper, profileResolver, isDenied, onDeny } = general;
  const checkOf = perHost(general, (runner) => {
    const reader = { input: inputMapper ?? bodyOf, profile: profileResolver };
    const handler = createRequestHandler<FastifyRequest, Output>(runner, decision, reader);
    return createAccessCheck(decision, handler, isDenied);
  });
  // Inside `guard`, where it may throw.
  const check: AccessCheck<FastifyRequest, Output> = (request, ...rest) => checkOf(request)(request, ...rest);
  return (request, reply, done) => {
    const exchange = new FastifyExchange(request, reply, "hook", done);
    guard(check, request, exchange, exchange.callback(onDeny));
  };
}
