import type { Decision } from "@decern/core";
import { createCatalogue, decisionPath, type ServiceDescription } from "@decern/core/host";
import { ComponentNames, typeName } from "../components/component-names.js";
import { ComponentSchemas } from "../components/component-schemas.js";
import { sharedHeaders, sharedParameters, sharedResponses } from "../components/shared-responses.js";
import { sharedSchemas } from "../components/shared-schemas.js";
import { decisionOperation, decisionSuffixes } from "../paths/decision-operation.js";
import { servicePaths } from "../paths/service-paths.js";
import { copyInfo } from "./copy-info.js";
import type { OpenAPIDocument, OpenAPIInfo, PathItemObject } from "./document.js";

/** Describes decisions and the server that serves them. The caller has checked every argument except the decisions. */
export function buildDocument(
  decisions: readonly Decision[],
  info: OpenAPIInfo,
  service: ServiceDescription,
): OpenAPIDocument {
  createCatalogue(decisions);
  const names = new ComponentNames();
  const schemas = new ComponentSchemas(names);
  for (const [name, schema] of Object.entries(sharedSchemas)) schemas.set(names.claim(name), schema);
  // Claim names for decisions first, so that definitions inside schemas never rename a decision.
  const named = decisions.map((decision) => ({
    decision,
    name: names.claim(typeName(decision.id, "Decision"), decisionSuffixes),
  }));
  const paths: [string, PathItemObject][] = named.map(({ decision, name }) => [
    decisionPath("/decisions", decision.id),
    { post: decisionOperation(decision, name, schemas, service) },
  ]);
  const { security } = service;
  return {
    openapi: "3.0.3",
    info: copyInfo(info),
    servers: [{ url: serverUrl(service), description: "The server that serves this document" }],
    security: security === undefined ? [] : [{ [security.name]: [] }],
    tags: [
      { name: "Decisions", description: "Evaluate a decision." },
      { name: "Catalogue", description: "List decisions and get their schemas." },
      { name: "Service", description: "Health, metrics and documentation of the service." },
    ],
    paths: { ...Object.fromEntries(paths), ...servicePaths(service) },
    components: {
      schemas: schemas.toObject(),
      responses: sharedResponses(service),
      parameters: sharedParameters,
      headers: sharedHeaders(service),
      ...(security === undefined ? {} : { securitySchemes: { [security.name]: security.scheme } }),
    },
  };
}

/**
 * The server's root, relative to its document. The UI's copy of the document lies one level deeper than most documents. If
 * the caller names no copy, the UI's depth is used: from `/openapi.json`, one `..` too many still means the root.
 */
function serverUrl(service: ServiceDescription): string {
  const { swaggerEndpoint, openapiEndpoint } = service;
  const ofUI = swaggerEndpoint === undefined ? undefined : `${swaggerEndpoint}/json`;
  const path = service.documentPath ?? ofUI ?? openapiEndpoint;
  if (path === undefined) return "/";
  const depth = path.split("/").length - 2;
  return depth <= 0 ? "." : Array.from({ length: depth }, () => "..").join("/");
}
