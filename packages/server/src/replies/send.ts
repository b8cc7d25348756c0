import { Readable } from "node:stream";
import { type AnsweredRequest, type ErrorReply, errorBody, type MountedRoute } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Content type of every JSON reply, spelled as Fastify does, so Fastify does not parse it again. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.code(status).header("content-type", JSON_TYPE).send(text);
}

/** Sends JSON text in pieces, as they are: joined to one string, a long reply costs more than its evaluations. */
export function sendPieces(reply: FastifyReply, pieces: readonly string[]): void {
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  // All at once, not through an iterator: that would spread one reply over many turns.
  const text = new Readable({
    objectMode: true,
    read() {
      for (const piece of pieces) this.push(piece);
      this.push(null);
    },
  });
  reply.code(200).header("content-type", JSON_TYPE).header("content-length", bytes).send(text);
}

/**
 * Sends an error of the table, in the form of the protocol whose path was asked for.
 *
 * @param facade - whose path it is. @default that of the route
 */
export function sendError(
  reply: FastifyReply,
  error: ErrorReply,
  facade: MountedRoute | undefined = reply.request.routeOptions.config?.decern?.facade,
): void {
  if (facade === undefined) {
    sendJson(reply, error.status, errorBody(error));
    return;
  }
  const { id: requestId, headers } = reply.request;
  sendAnswer(reply, facade.refuse(error, { requestId, headers, rest: restOf(reply.request) }));
}

/** Sends what a facade answers. */
export function sendAnswer(
  reply: FastifyReply,
  { status, body, headers, afterwards }: AnsweredRequest,
): FastifyReply {
  reply.code(status).headers(headers);
  if (body !== undefined) reply.header("content-type", JSON_TYPE);
  const response = reply.raw;
  if (response.closed) setImmediate(afterwards);
  else response.once("close", afterwards);
  return reply.send(body);
}

/** What a path has in the place of its wildcard. */
export function restOf({ params }: FastifyRequest): string | undefined {
  const rest: unknown = typeof params === "object" && params !== null ? Reflect.get(params, "*") : undefined;
  return typeof rest === "string" ? rest : undefined;
}
