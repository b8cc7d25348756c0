import type { FastifyReply } from "fastify";

/** Writes a reply of ours: JSON text as it is, past the host's serializers. */
export function writeReply(
  reply: FastifyReply,
  status: number,
  body: string,
  requestId: string,
): FastifyReply {
  return reply
    .code(status)
    .header("x-request-id", requestId)
    .header("content-type", "application/json; charset=utf-8")
    .send(body);
}
