import { Readable } from "node:stream";
import { type ErrorReply, errorBody } from "@decern/core/host";
import type { FastifyReply } from "fastify";

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

/** Sends an error of the table. */
export function sendError(reply: FastifyReply, error: ErrorReply): void {
  sendJson(reply, error.status, errorBody(error));
}
