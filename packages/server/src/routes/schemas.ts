import { type Decision, extractDecisionSchema } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { CachedDocument } from "../replies/cached-document.js";
import { sendError } from "../replies/send.js";
import { missingDecision } from "../requests/missing-decision.js";
import { describeEndpoint } from "./describe-endpoint.js";

interface DecisionRequest {
  Params: { readonly id: string; readonly version?: string };
}

/**
 * Serves `GET /decisions/:id/schema` and `GET /decisions/:id/endpoint-schema` for the default version, and the same for
 * each version under `/decisions/:id/versions/:version`.
 */
export function schemaRoutes(app: FastifyInstance, catalogue: Catalogue): void {
  const schema = documentOf(catalogue, (decision) => extractDecisionSchema(decision));
  const endpointSchema = documentOf(catalogue, describeEndpoint);
  for (const path of ["/decisions/:id", "/decisions/:id/versions/:version"]) {
    app.get<DecisionRequest>(`${path}/schema`, schema);
    app.get<DecisionRequest>(`${path}/endpoint-schema`, endpointSchema);
  }
}

function documentOf(catalogue: Catalogue, build: (decision: Decision, isPinned: boolean) => unknown) {
  const documents = {
    ofPinned: new Map<Decision, CachedDocument>(),
    others: new Map<Decision, CachedDocument>(),
  };
  return (request: FastifyRequest<DecisionRequest>, reply: FastifyReply): void => {
    const { params } = request;
    const { id, version } = params;
    const hosted = catalogue.get(id);
    const served = version === undefined ? hosted?.standard : hosted?.versions.get(version);
    if (served === undefined) {
      sendError(reply, missingDecision(catalogue, params) ?? tableReply("INTERNAL_ERROR"));
      return;
    }
    const { decision, headers } = served;
    if (headers !== undefined) reply.headers(headers);
    const isPinned = version !== undefined;
    const known = isPinned ? documents.ofPinned : documents.others;
    let document = known.get(decision);
    if (document === undefined) {
      document = new CachedDocument(() => build(decision, isPinned));
      known.set(decision, document);
    }
    document.send(request, reply);
  };
}
