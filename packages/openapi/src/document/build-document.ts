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

/** Describes decisions, and the server that serves them. What is given was checked, but for the decisions. */
export function buildDocument(
  decisions: readonly Decision[],
  info: OpenAPIInfo,
  service: ServiceDescription,
): OpenAPIDocument {
  createCatalogue(decisions);
  const names = new ComponentNames();
  const schemas = new ComponentSchemas(names);
  for (const [name, schema] of Object.entries(sharedSchemas)) schemas.set(names.claim(name), schema);
  // Decisions first, definitions inside their schemas after them: what a schema holds never renames a decision.
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
    servers: [{ url: serverUrl(service), description: "The server of this document" }],
    security: security === undefined ? [] : [{ [security.name]: [] }],
    tags: [
      { name: "Decisions", description: "Evaluate a decision." },
      { name: "Catalogue", description: "What decisions there are, and what they look like." },
      { name: "Service", description: "The service itself." },
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
 * The server's root as seen from its document. A copy for the UI is read one level deeper than most documents are; told
 * nothing of copies, the UI's counts: from `/openapi.json`, going up past the root of a host is staying there.
 */
function serverUrl(service: ServiceDescription): string {
  const { swaggerEndpoint, openapiEndpoint } = service;
  const ofUI = swaggerEndpoint === undefined ? undefined : `${swaggerEndpoint}/json`;
  const path = service.documentPath ?? ofUI ?? openapiEndpoint;
  if (path === undefined) return "/";
  const depth = path.split("/").length - 2;
  return depth <= 0 ? "." : Array.from({ length: depth }, () => "..").join("/");
}
