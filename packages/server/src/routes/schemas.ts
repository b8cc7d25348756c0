import { type Decision, extractDecisionSchema } from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";
import { decisionNotFound } from "../replies/decision-not-found.js";
import { describeEndpoint } from "./describe-endpoint.js";

interface DecisionRequest {
  Params: { id: string };
}

/** Serves `GET /decisions/:id/schema` and `GET /decisions/:id/endpoint-schema`. */
export function schemaRoutes(app: FastifyInstance, catalogue: ReadonlyMap<string, Decision>): void {
  app.get<DecisionRequest>(
    "/decisions/:id/schema",
    documentOf(catalogue, (decision) => extractDecisionSchema(decision)),
  );
  app.get<DecisionRequest>("/decisions/:id/endpoint-schema", documentOf(catalogue, describeEndpoint));
}

function documentOf(catalogue: ReadonlyMap<string, Decision>, build: (decision: Decision) => unknown) {
  const documents = new Map<string, CachedDocument>();
  return (request: FastifyRequest<DecisionRequest>, reply: FastifyReply): void => {
    const { id } = request.params;
    const decision = catalogue.get(id);
    if (decision === undefined) {
      decisionNotFound(reply, id);
      return;
    }
    let document = documents.get(id);
    if (document === undefined) {
      document = new CachedDocument(() => build(decision));
      documents.set(id, document);
    }
    document.send(request, reply);
  };
}
