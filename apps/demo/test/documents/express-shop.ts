import { createDecisionRouter } from "@decern/adapter-express";
import { generateAdapterSpec } from "@decern/openapi";
import express, { type Express } from "express";
import { decisions, hooks, info, mount, versions } from "./shop.js";

/** An Express application that serves the document of its decisions beside them. */
export function createExpressShop(): Express {
  const app = express();
  const logger = { error: () => {}, warn: () => {} };
  app.use("/api", createDecisionRouter({ decisions, versions, hooks, logger, prefix: "decisions" }));
  const document = generateAdapterSpec({ ...mount, info, documentPath: "/api/openapi.json" });
  app.get("/api/openapi.json", (_request, response) => {
    response.json(document);
  });
  return app;
}
