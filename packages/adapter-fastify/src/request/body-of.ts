import type { FastifyRequest } from "fastify";

/** The default input. */
export function bodyOf(request: Pick<FastifyRequest, "body">): unknown {
  return request.body;
}
