import type { Awaitable } from "@decern/core";
import {
  type AccessVerdict,
  asThrowable,
  createAccessCheck,
  createRequestHandler,
  decisionOptionKinds,
  errorBody,
  isThenable,
  type OptionTable,
  optionKinds,
  prepareDecision,
  tableReply,
} from "@decern/core/host";
import type { FastifyRequest, preHandlerHookHandler } from "fastify";
import type { CheckedInput } from "./checked-input.js";
import { bodyOf } from "./create-decision-handler.js";
import type { DecisionHookOptions } from "./options.js";
import { perHost } from "./per-host.js";
import { requestIdOf } from "./request-id.js";
import { watchSend } from "./watch-send.js";
import { writeReply } from "./write-reply.js";

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
  return (request, reply, done) => {
    const fail = (thrown: unknown): void => done(asThrowable(thrown));
    let handedOver = false;
    const isSent = watchSend(reply);
    const act = (verdict: AccessVerdict<Output>): void => {
      const { requestId } = verdict.reply;
      request.decision = verdict.result;
      if (handedOver || isSent()) {
        // Somebody has replied: without `done` the handler never runs.
      } else if (verdict.result === undefined) {
        reply.header("x-request-id", requestId);
        fail(verdict.thrown);
      } else if (verdict.allowed) {
        reply.header("x-request-id", requestId);
        done();
      } else {
        const said = tableReply("ACCESS_DENIED");
        writeReply(reply, said.status, errorBody(said), requestId);
      }
    };
    let verdict: Awaitable<AccessVerdict<Output>>;
    try {
      verdict = checkOf(request)(request, requestIdOf(request, reply), (result) => {
        request.decision = result;
        if (onDeny === undefined) return undefined;
        const returned: unknown = onDeny(result, request, reply);
        // Waiting for a reply would be waiting for the client.
        handedOver = returned === reply;
        return handedOver ? undefined : returned;
      });
    } catch (thrown) {
      return fail(thrown);
    }
    if (isThenable(verdict)) verdict.then(act, fail);
    else act(verdict);
  };
}
