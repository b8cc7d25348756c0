// Compiled against Express 4's types by a test of its own, and against Express 5's with all the others.
import type { Decision, Result } from "@decern/core";
import express, { type Request } from "express";
import { createDecisionGuard, createDecisionMiddleware, createDecisionRouter } from "../../src/index.js";

interface TenantRequest extends Request {
  readonly tenant?: { readonly minScore: number };
}

export function mount(
  loan: Decision<unknown, { approved: boolean }, { minScore: number }>,
  access: Decision<unknown, { allowed: boolean }, object>,
): express.Express {
  const app = express();
  app.use("/api", createDecisionRouter({ decisions: [loan, access], prefix: "decisions" }));
  app.post(
    "/tenants/:id/apply",
    createDecisionMiddleware({
      decision: loan,
      profileResolver: (request: TenantRequest) => request.tenant ?? { minScore: 600 },
      onResult: (result, _request, response) => void response.setHeader("x-status", result.status),
    }),
  );
  const guard = createDecisionGuard({
    decision: access,
    inputMapper: (request) => ({ role: request.get("x-role") }),
    onDeny: (result, request, response) => response.status(403).json([result.status, request.path]),
  });
  app.get("/reports/:id", guard, (request, response) => {
    const decision: Result | undefined = request.decision;
    const id: string = request.params.id;
    response.json({ id, status: decision?.status });
  });
  app.use(guard);
  return app;
}
