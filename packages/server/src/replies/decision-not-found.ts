import { tableReply } from "@decern/core/host";
import type { FastifyReply } from "fastify";
import { sendError } from "./send.js";

/** Replies that no decision has an id. An empty id is not a valid one, so its path does not exist. */
export function decisionNotFound(reply: FastifyReply, id: string): void {
  if (id === "") reply.callNotFound();
  else sendError(reply, tableReply("DECISION_NOT_FOUND", id));
}
