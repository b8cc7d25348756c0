import type { Result } from "@decern/core";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A result and the text that says it. */
interface ResultReply {
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
  readonly result: Result;
}

/**
 * Sends the result as an object, so that the host's `preSerialization` hooks run and the route's response schema applies.
 * The prepared text is sent where neither changes anything.
 */
export function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, requestId, result }: ResultReply,
): void {
  reply
    .code(status)
    .header("x-request-id", requestId)
    .header("content-type", "application/json; charset=utf-8");
  // With a response schema, Fastify serializes as the schema says.
  if (request.routeOptions.schema?.response === undefined) {
    reply.serializer((payload: unknown) => (payload === result ? body : JSON.stringify(payload)));
  }
  reply.send(result);
}
