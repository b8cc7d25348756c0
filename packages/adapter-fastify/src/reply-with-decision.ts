import type { Result } from "@decern/core";
import {
  asThrowable,
  type DecisionReply,
  errorBody,
  isThenable,
  type RequestHandler,
  replyTogether,
  tableReply,
} from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { DecisionHandlerOptions } from "./options.js";
import { requestIdOf } from "./request-id.js";
import { sendResult } from "./send-result.js";
import { watchSend } from "./watch-send.js";
import { writeReply } from "./write-reply.js";

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Answers a request with a decision.
 *
 * @param done - called once, when the reply was sent or somebody else's was found; with what the host's own callback threw,
 *   for the host's error handling
 */
export function replyWithDecision<Output>(
  handler: RequestHandler<FastifyRequest, Output>,
  { inputMapper, onResult }: Pick<DecisionHandlerOptions<Output, unknown>, "inputMapper" | "onResult">,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (failure?: Error) => void,
): void {
  const fail = (thrown: unknown): void => done(asThrowable(thrown));
  const requestId = requestIdOf(request, reply);
  if (inputMapper === undefined && request.body !== undefined && !isJson(request)) {
    const said = tableReply("UNSUPPORTED_MEDIA_TYPE");
    writeReply(reply, said.status, errorBody(said), requestId);
    return done();
  }
  let handedOver = false;
  const isSent = watchSend(reply);
  const tell = (result: Result<Output>): unknown => {
    request.decision = result;
    const returned: unknown = onResult?.(result, request, reply);
    // Waiting for a reply would be waiting for the client.
    handedOver = returned === reply;
    return handedOver ? undefined : returned;
  };
  const write = (answer: DecisionReply<Output>): void => {
    const { requestId, result, hostError } = answer;
    request.decision = result;
    replyTogether(() => {
      if (handedOver || isSent()) return done();
      if (hostError !== undefined) {
        reply.header("x-request-id", requestId);
        return fail(hostError.thrown);
      }
      sendResult(request, reply, answer);
      done();
    }, fail);
  };
  const answer = handler(request, requestId, onResult === undefined ? undefined : tell);
  if (isThenable(answer)) answer.then(write, fail);
  else write(answer);
}

function isJson({ headers }: FastifyRequest): boolean {
  const type = headers["content-type"];
  return type === "application/json" || (type !== undefined && jsonType.test(type));
}
