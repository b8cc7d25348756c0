import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "@decern/adapter-express";
import type { DecisionLog, MetricsCollectorPort, MetricsFeature } from "@decern/core";
import express, { type Express, type Request, type RequestHandler } from "express";
import { accessRequest, findDocument, findUser, lendingPolicy, rollOut, tenantProfile } from "./callers.js";
import { documentAccess, loanApproval, profiles } from "./decisions/index.js";

/** The caller's name, for rules, hooks, observers, the roll-out and the tenants' profiles. */
function caller(request: Request): string | undefined {
  return findUser(request.get("authorization"))?.id;
}

/** The host authenticates its users; the decisions only get their requests. */
const authenticate: RequestHandler = (request, response, next) => {
  if (findUser(request.get("authorization")) === undefined) {
    response.status(401).json({ error: "Authentication required", code: "UNAUTHORIZED" });
  } else next();
};

/**
 * An Express application that mounts the decisions, and uses one of them to guard its documents.
 *
 * @param rollOutPercent - how many callers get version 2.0.0 of `loan-approval`
 * @param log - keeps a record of every decision
 */
export function createExpressHost(
  metrics: MetricsFeature<MetricsCollectorPort>,
  rollOutPercent: number,
  log?: DecisionLog,
): Express {
  const observers = [metrics.observer];
  const app = express();
  app.disable("x-powered-by");

  app.get("/", (_request, response) => {
    response.json({ host: "express" });
  });

  app.get(metrics.endpoint, (request, response) => {
    const { contentType, body } = metrics.render(request.get("accept"));
    response.set("content-type", contentType).send(body);
  });

  app.use(authenticate);
  app.use(
    "/api",
    createDecisionRouter({
      ...rollOut(rollOutPercent),
      profiles,
      profileResolver: tenantProfile,
      prefix: "decisions",
      caller,
      observers,
      log,
    }),
  );

  // One decision on the host's own route, with a profile for each request.
  app.post(
    "/loans",
    createDecisionMiddleware({
      decision: loanApproval,
      profileResolver: (request) => lendingPolicy(request.get("authorization")),
      caller,
      observers,
      log,
    }),
  );

  app.get(
    "/documents/:id",
    createDecisionGuard({
      decision: documentAccess,
      profile: profiles["document-access"],
      inputMapper: (request) => accessRequest(request.get("authorization"), request.params["id"]),
      caller,
      observers,
      log,
    }),
    (request, response) => {
      response.json({ document: findDocument(request.params["id"]), why: request.decision?.meta });
    },
  );
  return app;
}
