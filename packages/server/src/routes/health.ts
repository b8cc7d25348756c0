import { tableReply } from "@decern/core";
import type { FastifyInstance } from "fastify";
import { serviceName, serviceVersion } from "../manifest.js";
import { probe } from "../route-config.js";
import { sendError, sendJson } from "../send.js";

/** Serves `/`, `/health/live` and `/health/ready`. */
export function healthRoutes(app: FastifyInstance, decisionCount: number, isClosing: () => boolean): void {
  const about = JSON.stringify({ name: serviceName, version: serviceVersion, decisions: decisionCount });
  const live = JSON.stringify({ status: "live" });
  const ready = JSON.stringify({ status: "ready" });
  app.get("/", { config: probe }, (_request, reply) => sendJson(reply, 200, about));
  app.get("/health/live", { config: probe }, (_request, reply) => sendJson(reply, 200, live));
  app.get("/health/ready", { config: probe }, (_request, reply) => {
    if (isClosing()) sendError(reply.header("retry-after", "1"), tableReply("SERVER_CLOSING"));
    else sendJson(reply, 200, ready);
  });
}
