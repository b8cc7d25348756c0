import type { Decision, OpenAPIFeature, ServiceDescription } from "@decern/core";
import { endpointKind } from "@decern/core/host";
import {
  checkedOptions,
  feature,
  kinds,
  type OptionRule,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/options";
import {
  ComponentNames,
  type NamedDecision,
  nameDecisions,
  planService,
} from "./components/component-names.js";
import { ComponentSchemas } from "./components/component-schemas.js";
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
  infoWithDefaults,
  type OpenAPIDocument,
  type OpenAPIInfo,
  type PathItemObject,
  serverUrl,
} from "./document/document.js";
import { infoKind, infoRows, serviceKind } from "./document/option-kinds.js";
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

const rows = {
  /** Generates and serves the document. @default false */
  enabled: option(kinds.flag, false),
  /** Path of the document. @default "/openapi.json" */
  endpoint: option<string>(endpointKind, "/openapi.json"),
  ...infoRows,
  /** Serves the UI. @default as `enabled` */
  swaggerUI: option(kinds.flag),
  /** Path of the UI. @default "/swagger" */
  swaggerEndpoint: option<string>(endpointKind, "/swagger"),
};

const ownPaths: OptionRule = ({ endpoint, swaggerEndpoint }) =>
  endpoint === swaggerEndpoint
    ? [{ path: "/swaggerEndpoint", message: "is also the path of the document" }]
    : [];

/** Options of {@link openapi}. */
export interface OpenAPIOptions extends OptionsOf<typeof rows> {}

/**
 * Creates the OpenAPI feature for `createServer`.
 *
 * @param options - checked immediately
 * @returns the feature: where the document and its UI are served, and what builds the document
 * @throws DecernError `INVALID_OPTIONS` with every problem
 *
 * @example
 * ```ts
 * const server = createServer({ decisions, openapi: openapi({ enabled: true, info: { title: "Loans" } }) });
 * ```
 */
export function openapi(options: OpenAPIOptions = {}): OpenAPIFeature {
  const { enabled, endpoint, swaggerEndpoint, swaggerUI, ...given } = checkedOptions(
    "openapi",
    options,
    rows,
    [ownPaths],
  );
  const info = copyInfo(infoWithDefaults(given.info));
  return {
    [feature]: "openapi",
    enabled,
    endpoint,
    swaggerUI: enabled && (swaggerUI ?? true),
    swaggerEndpoint,
    buildDocument: (decisions, service) => buildDocument(decisions, info, service),
  };
}

const argumentRows = {
  decisions: requiredOption(kinds.listOf(kinds.anything<Decision>())),
  info: requiredOption(infoKind),
  service: option(serviceKind),
};

/**
 * Describes decisions and the server that serves them as an OpenAPI 3.0.3 document.
 *
 * @param decisions - each becomes one operation, in this order; versions of one id need `service.versions`
 * @param info - the document's `info`
 * @param service - what the server offers besides its decisions. @default the standalone server without options
 * @returns plain data, ready for `JSON.stringify`
 * @throws DecernError `INVALID_OPTIONS` for duplicate ids and versions, values that are not decisions, an invalid `info` or `service`, and
 *   references in a schema without a target
 *
 * @example
 * ```ts
 * const document = generateOpenAPISpec([loanApproval], { title: "Loans", version: "1.0.0" });
 * document.paths["/decisions/loan-approval"]?.post?.operationId; // "evaluateLoanApproval"
 * ```
 */
export function generateOpenAPISpec(
  decisions: readonly Decision[],
  info: OpenAPIInfo,
  service: ServiceDescription = {},
): OpenAPIDocument {
  checkedOptions("generateOpenAPISpec", { decisions, info, service }, argumentRows);
  return buildDocument(decisions, info, service);
}

/** Describes decisions and the server that serves them. The caller has checked every argument except the decisions. */
function buildDocument(
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
