import type { Decision } from "@decern/core";
import { decisionPath, type ServedVersion, type ServiceDescription } from "@decern/core/host";
import { ComponentNames, type NamedDecision, nameDecisions } from "./components/component-names.js";
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
  type CallHost,
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
  { served: { main, versions = [], retired }, name, versionNames }: NamedDecision,
  schemas: ComponentSchemas,
  host: CallHost,
  service: ServiceDescription,
): readonly (readonly [path: string, item: PathItemObject])[] {
  const { id } = main.decision;
  /** The evaluation of a version, and its explanation if the server explains. */
  const evaluationPaths = (
    path: string,
    version: ServedVersion,
    names: { readonly operation: string; readonly schema: string },
    isPinned: boolean,
  ) => {
    const operation = {
      operationId: `evaluate${names.operation}`,
      schemaNames: [names.schema],
      isPinned,
    } as const;
    const evaluation = decisionOperation(version, operation, schemas, host);
    const explanation = () => ({ post: explainOperation(evaluation, names.operation, version) });
    return [
      [path, { post: evaluation }] as const,
      ...(service.explains === true ? [[`${path}/explain`, explanation()] as const] : []),
    ];
  };
  addDecisionSchemas(main.decision, name, schemas, host);
  const own = evaluationPaths(decisionPath("/decisions", id), main, { operation: name, schema: name }, false);
  if (versions.length === 0) return own;
  const pinned = versions.flatMap((version) => {
    const operation = versionNames.get(version.decision) ?? name;
    const schema = version === main ? name : operation;
    if (version !== main) addDecisionSchemas(version.decision, schema, schemas, host);
    const path = versionPath("/decisions", id, version.decision.version);
    return [
      ...evaluationPaths(path, version, { operation, schema }, true),
      ...versionSchemaPaths(version, operation, service),
    ];
  });
  return [...own, [versionsPath(id), versionList(id, name, retired, service)], ...pinned];
}

/** Where the document is read. If the caller names no copy, the UI's: its own is one level deeper than most documents. */
function documentPath(service: ServiceDescription): string | undefined {
  const { swaggerEndpoint, openapiEndpoint } = service;
  const ofUI = swaggerEndpoint === undefined ? undefined : `${swaggerEndpoint}/json`;
  return service.documentPath ?? ofUI ?? openapiEndpoint;
}
