import {
  asThrowable,
  type DecisionReply,
  errorBody,
  isThenable,
  type RequestHandler,
  tableReply,
} from "@decern/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { DecisionHandlerOptions } from "./options.js";
import { requestIdOf } from "./request-id.js";
import { watchSend } from "./watch-send.js";
import { writeReply } from "./write-reply.js";

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Answers a request with a decision.
 *
 * @returns nothing when the reply was sent at once, which saves Fastify a promise
 * @throws what the host's own callback threw, for the host's error handling
 */
export function replyWithDecision<Output>(
  handler: RequestHandler<FastifyRequest, Output>,
  { inputMapper, onResult }: Pick<DecisionHandlerOptions<Output, unknown>, "inputMapper" | "onResult">,
  request: FastifyRequest,
  reply: FastifyReply,
): PromiseLike<FastifyReply> | undefined {
  const requestId = requestIdOf(request, reply);
  if (inputMapper === undefined && request.body !== undefined && !isJson(request)) {
    const said = tableReply("UNSUPPORTED_MEDIA_TYPE");
    writeReply(reply, said.status, errorBody(said), requestId);
    return undefined;
  }
  let replied: (() => boolean) | undefined;
  const answer = handler(
    request,
    requestId,
    onResult === undefined
      ? undefined
      : (result) => {
          const sent = watchSend(reply);
          replied = sent;
          request.decision = result;
          const returned: unknown = onResult(result, request, reply);
          // Waiting for a reply would be waiting for the client.
          if (returned !== reply) return returned;
          replied = () => true;
          return undefined;
        },
  );
  const write = (written: DecisionReply<Output>): void => {
    const { status, body, requestId, result, hostError } = written;
    request.decision = result;
    if (reply.sent || replied?.() === true) return;
    if (hostError !== undefined) {
      reply.header("x-request-id", requestId);
      throw asThrowable(hostError.thrown);
    }
    writeReply(reply, status, body, requestId);
  };
  if (!isThenable(answer)) {
    write(answer);
    return undefined;
  }
  return answer.then((written) => {
    write(written);
    return reply;
  });
}

function isJson({ headers }: FastifyRequest): boolean {
  const type = headers["content-type"];
  return type === "application/json" || (type !== undefined && jsonType.test(type));
}
