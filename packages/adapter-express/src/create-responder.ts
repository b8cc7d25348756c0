import type { Awaitable, Result } from "@decern/core";
import {
  type DecisionReply,
  errorBody,
  isThenable,
  type RequestHandler,
  replyTogether,
  tableReply,
} from "@decern/core/host";
import type { Request } from "express";
import type { DecisionRequestHandler } from "./decision-request-handler.js";
import type { DecisionMiddlewareOptions } from "./options.js";
import { passOn } from "./pass-on.js";
import { createBodyReader } from "./read-body.js";
import { requestIdOf } from "./request-id.js";
import { watchReply } from "./watch-reply.js";
import { writeReply } from "./write-reply.js";

/** Makes the middleware that reads a request, and answers it with a decision. */
export function createResponder<Output>(
  handler: RequestHandler<Request, Output>,
  options: Pick<DecisionMiddlewareOptions<Output, unknown>, "inputMapper" | "onResult" | "bodyLimit">,
): DecisionRequestHandler {
  const { inputMapper, onResult, bodyLimit = 1_048_576 } = options;
  const readBody = createBodyReader(bodyLimit, inputMapper === undefined);
  return (request, response, next) => {
    const requestId = requestIdOf(request, response);
    const watch = watchReply(response);
    const fail = (thrown: unknown): void => passOn(thrown, requestId, response, watch, next);
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) return fail(failure);
      if (problem !== undefined) {
        const said = tableReply(problem);
        return writeReply(response, watch, said.status, errorBody(said), requestId);
      }
      const tell = (result: Result<Output>): unknown => {
        request.decision = result;
        watch.expectReply();
        return onResult?.(result, request, response);
      };
      let answer: Awaitable<DecisionReply<Output>>;
      try {
        answer = handler(request, requestId, onResult === undefined ? undefined : tell);
      } catch (thrown) {
        return fail(thrown);
      }
      const write = ({ status, body, requestId, result, hostError }: DecisionReply<Output>): void => {
        request.decision = result;
        replyTogether(() => {
          if (hostError === undefined) writeReply(response, watch, status, body, requestId);
          else passOn(hostError.thrown, requestId, response, watch, next);
        }, fail);
      };
      if (isThenable(answer)) answer.then(write, fail);
      else write(answer);
    });
  };
}
