import { tableReply } from "@decern/core/host";
import type { FastifyReply } from "fastify";
import { sendError } from "./send.js";

/** Answers for an id that no decision has; no decision has an empty one, so that is no route at all. */
export function decisionNotFound(reply: FastifyReply, id: string): void {
  if (id === "") reply.callNotFound();
  else sendError(reply, tableReply("DECISION_NOT_FOUND", id));
}
