import type { DecisionLog, ErrorCode } from "@decern/core";
import { type Service, tableReply } from "@decern/core/host";
import type { FastifyInstance } from "fastify";
import { serviceName, serviceVersion } from "../manifest.js";
import { sendError, sendJson } from "../reply/send.js";
import { prefersHtml, probe } from "../request/routing.js";

/** What decides whether a server is ready. */
interface Health {
  readonly catalogue: Service["catalogue"];
  readonly log: DecisionLog | undefined;
  /** Aborted when the server starts to close. */
  readonly closing: AbortSignal;
  /** Whether there is a docs page. */
  readonly docs: boolean;
}

/** Serves `/`, `/health/live` and `/health/ready`. */
export function healthRoutes(app: FastifyInstance, { catalogue, log, closing, docs }: Health): void {
  const live = JSON.stringify({ status: "live" });
  app.get("/", { config: probe }, (request, reply) => {
    if (docs) reply.header("vary", "accept");
    // Relative, so it also works behind a path prefix.
    if (docs && prefersHtml(request.headers.accept)) reply.redirect("docs", 303);
    else {
      const decisions = catalogue.current.ids.length;
      sendJson(reply, 200, JSON.stringify({ name: serviceName, version: serviceVersion, decisions }));
    }
  });
  app.get("/health/live", { config: probe }, (_request, reply) => sendJson(reply, 200, live));
  app.get("/health/ready", { config: probe }, (_request, reply) => {
    const reason = whyNotReady();
    if (reason === undefined) sendJson(reply, 200, JSON.stringify({ status: "ready", ...catalogue.status }));
    else sendError(reply, tableReply(reason, whyHeld(reason)));
  });
  function whyHeld(reason: ErrorCode): string | undefined {
    return reason === "DECISIONS_NOT_LOADED" ? catalogue.loads.held?.reason : undefined;
  }
  function whyNotReady(): ErrorCode | undefined {
    if (closing.aborted) return "SERVER_CLOSING";
    const { notLoaded } = catalogue.current;
    if (notLoaded !== undefined) return notLoaded;
    return log?.isAvailable === false ? "RECORD_UNAVAILABLE" : undefined;
  }
}
