import { createDecisionRouter } from "@decern/adapter-express";
import { metrics } from "@decern/metrics";
import express from "express";
import { loanApproval } from "./decisions.js";

// In Fastify: `reply.type(contentType).send(body)`.
const m = metrics({ enabled: true });
const profiles = { "loan-approval": { minScore: 620, maxAmount: 50_000 } };
const app = express();
app.use("/api", createDecisionRouter({ decisions: [loanApproval], profiles, observers: [m.observer] }));
app.get(m.endpoint, (request, response) => {
  const { contentType, body } = m.render(request.headers.accept);
  response.set("content-type", contentType).send(body);
});
