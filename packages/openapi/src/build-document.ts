import type { Decision } from "@decern/core";
import { decisionPath, type ServiceDescription } from "@decern/core/host";
import { ComponentNames, nameDecisions } from "./components/component-names.js";
import { ComponentSchemas } from "./components/component-schemas.js";
import { planService, usedDeprecationHeaders } from "./components/served-decisions.js";
import {
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  versionResponses,
} from "./components/shared-responses.js";
import { sharedSchemas, versionSchemas } from "./components/shared-schemas.js";
import {
  copyInfo,
  type OpenAPIDocument,
  type OpenAPIInfo,
  type PathItemObject,
  serverUrl,
} from "./document/document.js";
import { batchPaths, batchSchemas, versionParameter } from "./paths/batch-paths.js";
import {
  addDecisionSchemas,
  decisionOperation,
  decisionsTag,
  serverHost,
} from "./paths/decision-operation.js";
import { explainOperation, explanationSchemas } from "./paths/explain-operation.js";
import {
  facadePaths,
  facadeTags,
  servicePaths,
  versionList,
  versionPath,
  versionSchemaPaths,
  versionsPath,
} from "./paths/service-paths.js";

/** Describes decisions and the server that serves them. The caller has checked every argument except the decisions. */
export function buildDocument(
  decisions: readonly Decision[],
  info: OpenAPIInfo,
  service: ServiceDescription,
): OpenAPIDocument {
  const served = planService(decisions, service.versions, "/service");
  const versioned = served.some(({ versions }) => versions !== undefined);
  const names = new ComponentNames();
  const schemas = new ComponentSchemas(names);
  const own = {
    ...sharedSchemas,
    ...(versioned ? versionSchemas : {}),
    ...(service.explains === true ? explanationSchemas : {}),
    ...(service.maxBatch === undefined ? {} : batchSchemas(service)),
  };
  for (const [name, schema] of Object.entries(own)) {
    schemas.set(names.claim(name), schema);
  }
  const host = serverHost(service);
  const paths: [string, PathItemObject][] = [];
  for (const { served: one, name, versionNames } of nameDecisions(served, names)) {
    const { main, versions = [], retired } = one;
    const { id } = main.decision;
    const operation = { operationId: `evaluate${name}`, schemaNames: [name], isPinned: false } as const;
    addDecisionSchemas(main.decision, name, schemas, host);
    const evaluation = decisionOperation(main, operation, schemas, host);
    paths.push([decisionPath("/decisions", id), { post: evaluation }]);
    if (service.explains === true) {
      paths.push([
        `${decisionPath("/decisions", id)}/explain`,
        { post: explainOperation(evaluation, name, main) },
      ]);
    }
    if (versions.length === 0) continue;
    paths.push([versionsPath(id), versionList(id, name, retired, service)]);
    for (const version of versions) {
      const operationName = versionNames.get(version.decision) ?? name;
      const schemaName = version === main ? name : operationName;
      if (version !== main) addDecisionSchemas(version.decision, schemaName, schemas, host);
      const pinned = {
        operationId: `evaluate${operationName}`,
        schemaNames: [schemaName],
        isPinned: true,
      } as const;
      const path = versionPath("/decisions", id, version.decision.version);
      const evaluation = decisionOperation(version, pinned, schemas, host);
      paths.push([path, { post: evaluation }]);
      if (service.explains === true) {
        paths.push([`${path}/explain`, { post: explainOperation(evaluation, operationName, version) }]);
      }
      paths.push(...versionSchemaPaths(version, operationName, service));
    }
  }
  const { security } = service;
  return {
    openapi: "3.0.3",
    info: copyInfo(info),
    servers: [{ url: serverUrl(documentPath(service)), description: "The server that serves this document" }],
    security: security === undefined ? [] : [{ [security.name]: [] }],
    tags: [
      decisionsTag,
      { name: "Catalogue", description: "List decisions and get their schemas." },
      { name: "Service", description: "Health, metrics and documentation of the service." },
      ...facadeTags(service),
    ],
    paths: {
      ...Object.fromEntries(paths),
      ...batchPaths(service, versioned),
      ...servicePaths(service),
      ...facadePaths(service),
    },
    components: {
      schemas: schemas.toObject(),
      responses: { ...sharedResponses(service), ...(versioned ? versionResponses : {}) },
      parameters: {
        ...sharedParameters,
        ...(versioned && service.maxBatch !== undefined ? versionParameter : {}),
      },
      headers: { ...sharedHeaders(service), ...usedDeprecationHeaders(served) },
      ...(security === undefined ? {} : { securitySchemes: { [security.name]: security.scheme } }),
    },
  };
}

/** Where the document is read. If the caller names no copy, the UI's: its own is one level deeper than most documents. */
function documentPath(service: ServiceDescription): string | undefined {
  const { swaggerEndpoint, openapiEndpoint } = service;
  const ofUI = swaggerEndpoint === undefined ? undefined : `${swaggerEndpoint}/json`;
  return service.documentPath ?? ofUI ?? openapiEndpoint;
}
