import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "@decern/adapter-express";
import type { MetricsCollectorPort, MetricsFeature } from "@decern/core";
import express, { type Express } from "express";
import { decisions, defaultProfiles, documentAccess, loanApproval } from "./decisions/index.js";
import { accessRequest, findDocument, findUser, lendingPolicy } from "./records.js";

/** An application of its own that mounts the decisions, and lets one of them guard its documents. */
export function createExpressHost(metrics: MetricsFeature<MetricsCollectorPort>): Express {
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

  // The host knows its users; the decisions behind this line only see requests of theirs.
  app.use((request, response, next) => {
    if (findUser(request.get("authorization")) === undefined) {
      response.status(401).json({ error: "Who are you?", code: "UNAUTHORIZED" });
    } else next();
  });

  app.use(
    "/api",
    createDecisionRouter({ decisions, profiles: defaultProfiles, prefix: "decisions", observers }),
  );

  // One decision on a route of the host's own, with a profile for each request.
  app.post(
    "/loans",
    createDecisionMiddleware({
      decision: loanApproval,
      profileResolver: (request) => lendingPolicy(request.get("authorization")),
      observers,
    }),
  );

  app.get(
    "/documents/:id",
    createDecisionGuard({
      decision: documentAccess,
      profile: defaultProfiles["document-access"],
      inputMapper: (request) => accessRequest(request.get("authorization"), request.params["id"]),
      observers,
    }),
    (request, response) => {
      response.json({ document: findDocument(request.params["id"]), why: request.decision?.meta });
    },
  );
  return app;
}
