import {
  type DescribedRoute,
  decisionPath,
  type ServedVersion,
  type ServiceDescription,
} from "@decern/core/host";
import { schemaRef } from "../components/component-schemas.js";
import { headers, parameterRef } from "../components/shared-responses.js";
import type { Content, OpenAPIDocument, OperationObject, PathItemObject } from "../document/document.js";
import {
  commonResponses,
  described,
  json,
  type Route,
  routeOperation,
  unavailable,
} from "./route-operation.js";

const html: Content = { "text/html": { schema: { type: "string" } } };

/** Every route of the standalone server except the evaluations, by path. */
export function servicePaths(service: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  const { metricsEndpoint, openapiEndpoint, swaggerEndpoint } = service;
  const hasPage = service.docs !== false;
  const routes: readonly (readonly [path: string | undefined, route: Route])[] = [
    ["/", { ...serviceInfo, redirected: hasPage }],
    ["/health/live", liveness],
    ["/health/ready", readiness],
    [hasPage ? "/docs" : undefined, { ...page("getDocsPage", "Browse and try decisions"), tagged: true }],
    ["/decisions", described("listDecisions", "List all decisions", "The decisions.", "DecisionList")],
    ["/decisions/{id}/schema", decisionSchema],
    ["/decisions/{id}/endpoint-schema", endpointSchema],
    [metricsEndpoint, metricsPage(service)],
    [openapiEndpoint, openapiDocument],
    [swaggerEndpoint, { ...page("getSwaggerUI", "Browse and call this API"), tagged: true }],
  ];
  return Object.fromEntries(
    routes.flatMap(([path, route]) =>
      path === undefined ? [] : [[path, { get: routeOperation(route, service) }]],
    ),
  );
}

const serviceInfo = probe(
  "getServiceInfo",
  "Describe this service",
  "The name, version and number of decisions.",
  "ServiceInfo",
);

const liveness = probe("getLiveness", "Check that the process is alive", "The process is alive.", "Health");

const readiness: Route = {
  ...probe(
    "getReadiness",
    "Check that the service accepts requests",
    "The service accepts requests.",
    "Health",
  ),
  vital: false,
};

const decisionSchema = described(
  "getDecisionSchema",
  "Get the schemas of a decision",
  "The schemas.",
  "DecisionSchema",
  "any decision",
);

const endpointSchema = described(
  "getEndpointSchema",
  "Get the request and response schemas of a decision",
  "The schemas.",
  "EndpointSchema",
  "any decision",
);

function probe(operationId: string, summary: string, description: string, schema: string): Route {
  const content = json(schemaRef(schema));
  return { operationId, summary, tag: "Service", description, content, open: true, vital: true };
}

/** Needs no authentication: a browser cannot authenticate when it opens a page, and the page itself reveals nothing. */
function page(operationId: string, summary: string): Route {
  return { operationId, summary, tag: "Service", description: "The page.", content: html, open: true };
}

function metricsPage(service: ServiceDescription): Route {
  return {
    operationId: "getMetrics",
    summary: "Get metrics for Prometheus",
    tag: "Service",
    description: "The metrics, in the format that `Accept` prefers.",
    content: {
      "text/plain": { schema: { type: "string" } },
      "application/openmetrics-text": { schema: { type: "string" } },
    },
    open: service.publicMetrics === true,
    vital: true,
  };
}

const openapiDocument: Route = {
  operationId: "getOpenAPIDocument",
  summary: "Get this document",
  tag: "Service",
  description: "The OpenAPI 3.0.3 document.",
  content: json({ type: "object", additionalProperties: true }),
  tagged: true,
};

/** The path of a decision's list of versions. */
export function versionsPath(id: string): string {
  return `${decisionPath("/decisions", id)}/versions`;
}

/** The path of one version of a decision. */
export function versionPath(prefix: string, id: string, version: string): string {
  return `${decisionPath(prefix, id)}/versions/${encodeURIComponent(version)}`;
}

/**
 * Describes the list of a decision's versions.
 *
 * @param name - the name of the decision among the components
 */
export function versionList(
  id: string,
  name: string,
  retired: readonly string[],
  service: ServiceDescription,
): PathItemObject {
  const gone = retired.length === 0 ? "" : ` Retired: ${retired.join(", ")}.`;
  const route = described(
    `list${name}Versions`,
    `List the versions of ${id}`,
    `The versions.${gone}`,
    "VersionList",
    "decision",
  );
  return { get: routeOperation(route, service) };
}

/**
 * Describes the paths with the schemas of one version.
 *
 * @param name - the name of the version among the operations
 */
export function versionSchemaPaths(
  { decision: { id, version } }: ServedVersion,
  name: string,
  service: ServiceDescription,
): readonly [path: string, item: PathItemObject][] {
  const path = versionPath("/decisions", id, version);
  const schema = described(
    `get${name}Schema`,
    `Get the schemas of ${id}, version ${version}`,
    "The schemas.",
    "DecisionSchema",
    "version",
  );
  const endpointSchema = described(
    `get${name}EndpointSchema`,
    `Get the request and response schemas of ${id}, version ${version}`,
    "The schemas.",
    "EndpointSchema",
    "version",
  );
  return [
    [`${path}/schema`, { get: routeOperation(schema, service) }],
    [`${path}/endpoint-schema`, { get: routeOperation(endpointSchema, service) }],
  ];
}

const tag = "Protocols";

/** The routes of facades, by path. */
export function facadePaths({
  facades = [],
  security,
}: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  return Object.fromEntries(
    facades.map((route) => {
      const operation = facadeOperation(route);
      const open = route.open === true && security !== undefined ? { security: [] } : {};
      const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
      return [
        path,
        route.method === "GET" ? { get: { ...operation, ...open } } : { post: { ...operation, ...open } },
      ];
    }),
  );
}

export function facadeTags({ facades = [] }: ServiceDescription): OpenAPIDocument["tags"] {
  return facades.length === 0
    ? []
    : [{ name: tag, description: "Decisions in the protocols of others, whose errors are the protocols'." }];
}

function facadeOperation({ path, operation }: DescribedRoute): OperationObject {
  const { operationId, summary, request, responses } = operation;
  const tagged = Object.hasOwn(responses, "304");
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const parameters = [
    ...names.map((name) => {
      const description = `The ${name}.`;
      return { name, in: "path", description, required: true, schema: { type: "string" } } as const;
    }),
    ...(tagged ? [parameterRef("IfNoneMatch")] : []),
  ];
  const own = Object.entries(responses).map(([status, { description, schema }]) => {
    const more = tagged && (status === "200" || status === "304") ? { etag: "ETag" } : {};
    const content = schema === undefined ? {} : { content: json(schema) };
    return [status, { description, headers: headers(more), ...content }] as const;
  });
  return {
    operationId,
    summary,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: json(request) } }),
    responses: { ...commonResponses, ...unavailable, ...Object.fromEntries(own) },
  };
}
