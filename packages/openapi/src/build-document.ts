import type { Decision, ServiceDescription } from "@decern/core";
import { ComponentNames, type NamedDecision, nameDecisions } from "./components/component-names.js";
import { ComponentSchemas } from "./components/component-schemas.js";
import { planService } from "./components/served-decisions.js";
import {
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  usedDeprecationHeaders,
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
import { decisionsTag, describeEvaluations, type Evaluation } from "./paths/decision-operation.js";
import { explainOperation, explanationSchemas } from "./paths/explain-operation.js";
import { type CallHost, serverHost } from "./paths/route-operation.js";
import {
  facadePaths,
  facadeTags,
  servicePaths,
  versionList,
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
  const paths = nameDecisions(served, names).flatMap((one) => decisionPaths(one, schemas, host, service));
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

/** The paths of one decision and of its versions. Adds their schemas. */
function decisionPaths(
  named: NamedDecision,
  schemas: ComponentSchemas,
  host: CallHost,
  service: ServiceDescription,
): readonly (readonly [path: string, item: PathItemObject])[] {
  const { id } = named.served.main.decision;
  const [own, ...pinned] = describeEvaluations(named, "/decisions", schemas, host);
  const pathsOf = ({ path, operation, name, version }: Evaluation) => [
    [path, { post: operation }] as const,
    ...(service.explains === true
      ? [[`${path}/explain`, { post: explainOperation(operation, name, version) }] as const]
      : []),
  ];
  if (pinned.length === 0) return pathsOf(own);
  return [
    ...pathsOf(own),
    [versionsPath(id), versionList(id, named.name, named.served.retired, service)],
    ...pinned.flatMap((one) => [...pathsOf(one), ...versionSchemaPaths(one, service)]),
  ];
}

/** Where the document is read. If the caller names no copy, the UI's: its own is one level deeper than most documents. */
function documentPath(service: ServiceDescription): string | undefined {
  const { swaggerEndpoint, openapiEndpoint } = service;
  const ofUI = swaggerEndpoint === undefined ? undefined : `${swaggerEndpoint}/json`;
  return service.documentPath ?? ofUI ?? openapiEndpoint;
}
