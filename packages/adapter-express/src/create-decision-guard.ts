import { type Awaitable, DecernError } from "@decern/core";
import {
  type AccessVerdict,
  createAccessCheck,
  createRequestHandler,
  decisionOptionKinds,
  errorBody,
  isThenable,
  type OptionTable,
  optionKinds,
  prepareDecision,
  Runner,
  tableReply,
} from "@decern/core/host";
import type { Request } from "express";
import type { CheckedInput } from "./checked-input.js";
import { bodyOf } from "./create-decision-middleware.js";
import type { DecisionRequestHandler } from "./decision-request-handler.js";
import type { DecisionGuardOptions } from "./options.js";
import { passOn } from "./pass-on.js";
import { hasForbiddenKey } from "./read-body.js";
import { requestIdOf } from "./request-id.js";
import { watchReply } from "./watch-reply.js";
import { writeReply } from "./write-reply.js";

const { callback } = optionKinds;

const kinds: OptionTable<DecisionGuardOptions<unknown, unknown>> = {
  ...decisionOptionKinds,
  isDenied: callback,
  onDeny: callback,
};

/**
 * Makes a middleware that lets a request through when a decision says yes, and fails closed. It parses no body: put the
 * host's parser before it, or give an `inputMapper`.
 *
 * @returns a middleware that calls `next` on a clear yes only; the result is at `req.decision`
 * @throws DecernError `INVALID_OPTIONS` as `createDecisionMiddleware` does, and for a decision whose output says neither
 *   yes nor no when there is no `isDenied`
 *
 * @example
 * ```ts
 * app.get("/reports", createDecisionGuard({ decision: canRead, inputMapper: (req) => ({ role: req.get("x-role") }) }), handler);
 * ```
 */
export function createDecisionGuard<
  Output,
  Profile,
  Req extends Request = Request,
  Input = unknown,
  Mapped = unknown,
>(
  options: DecisionGuardOptions<Output, Profile, Req> & CheckedInput<Input, Mapped, Req>,
): DecisionRequestHandler {
  const general: DecisionGuardOptions<Output, Profile> = options;
  const decision = prepareDecision("createDecisionGuard", general, kinds);
  const { inputMapper, profileResolver, isDenied, onDeny } = general;
  const reader = { input: inputMapper ?? bodyOf, profile: profileResolver };
  const handler = createRequestHandler<Request, Output>(new Runner(general), decision, reader);
  const check = createAccessCheck(decision, handler, isDenied);
  return (request, response, next) => {
    const requestId = requestIdOf(request, response);
    const watch = watchReply(response);
    const fail = (thrown: unknown): void => passOn(thrown, requestId, response, watch, next);
    const act = (verdict: AccessVerdict<Output>): void => {
      const { requestId } = verdict.reply;
      request.decision = verdict.result;
      if (verdict.result === undefined) {
        passOn(verdict.thrown, requestId, response, watch, next);
      } else if (watch.hasBegun()) {
        // Somebody has replied: without `next` the handler never runs.
      } else if (verdict.allowed) {
        response.setHeader("x-request-id", requestId);
        next();
      } else {
        const said = tableReply("ACCESS_DENIED");
        writeReply(response, watch, said.status, errorBody(said), requestId);
      }
    };
    let verdict: Awaitable<AccessVerdict<Output>>;
    try {
      if (inputMapper === undefined && hasForbiddenKey(request.body)) throw new DecernError("FORBIDDEN_KEY");
      verdict = check(request, requestId, (result) => {
        request.decision = result;
        if (onDeny === undefined) return undefined;
        watch.expectReply();
        return onDeny(result, request, response);
      });
    } catch (thrown) {
      return fail(thrown);
    }
    if (isThenable(verdict)) verdict.then(act, fail);
    else act(verdict);
  };
}
