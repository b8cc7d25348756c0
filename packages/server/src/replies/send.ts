import { type ErrorReply, errorBody } from "@decern/core/host";
import type { FastifyReply } from "fastify";

/** Content type of every JSON reply, spelled as Fastify does, so Fastify does not parse it again. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends JSON text. */
export function sendJson(reply: FastifyReply, status: number, text: string): void {
  reply.code(status).header("content-type", JSON_TYPE).send(text);
}

/** Sends an error of the table. */
export function sendError(reply: FastifyReply, error: ErrorReply): void {
  sendJson(reply, error.status, errorBody(error));
}
