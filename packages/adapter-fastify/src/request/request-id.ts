import { isRequestId, requestIdFrom } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The request's id: the caller's if it is valid, else the one an earlier decision gave this request, else a new one. */
export function requestIdOf(
  request: Pick<FastifyRequest, "headers">,
  reply: Pick<FastifyReply, "getHeader">,
): string {
  const incoming = request.headers["x-request-id"];
  if (typeof incoming === "string" && isRequestId(incoming)) return incoming;
  return requestIdFrom(reply.getHeader("x-request-id"));
}
