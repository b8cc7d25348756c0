import { type Catalogue, tableReply } from "@decern/core/host";
import type { FastifyInstance } from "fastify";
import { serviceName, serviceVersion } from "../manifest.js";
import { sendError, sendJson } from "../replies/send.js";
import { probe } from "../requests/route-config.js";

/** Serves `/`, `/health/live` and `/health/ready`. */
export function healthRoutes(app: FastifyInstance, catalogue: Catalogue, closing: AbortSignal): void {
  const decisionCount = catalogue.decisions.size;
  const about = JSON.stringify({ name: serviceName, version: serviceVersion, decisions: decisionCount });
  const live = JSON.stringify({ status: "live" });
  const ready = JSON.stringify({ status: "ready" });
  app.get("/", { config: probe }, (_request, reply) => sendJson(reply, 200, about));
  app.get("/health/live", { config: probe }, (_request, reply) => sendJson(reply, 200, live));
  app.get("/health/ready", { config: probe }, (_request, reply) => {
    if (closing.aborted) sendError(reply.header("retry-after", "1"), tableReply("SERVER_CLOSING"));
    else if (catalogue.profiles === undefined)
      sendError(reply.header("retry-after", "1"), tableReply("PROFILES_NOT_LOADED"));
    else sendJson(reply, 200, ready);
  });
}
