import type { DescribedRoute, ServiceDescription } from "@decern/core";
import { decisionPath } from "@decern/core/host";
import { schemaRef } from "../components/component-schemas.js";
import { headers, parameterRef } from "../components/shared-responses.js";
import type { OpenAPIDocument, OperationObject, PathItemObject } from "../document/document.js";
import type { Evaluation } from "./decision-operation.js";
import {
  commonResponses,
  described,
  json,
  type Route,
  routeOperation,
  unavailable,
} from "./route-operation.js";

/** Every route of the standalone server except the evaluations, by path. */
export function servicePaths(service: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  const { metricsEndpoint, openapiEndpoint, swaggerEndpoint, publicMetrics = false } = service;
  const hasPage = service.docs !== false;
  const info = probe(
    "getServiceInfo",
    "Describe this service",
    "The name, version and number of decisions.",
    "ServiceInfo",
  );
  const live = probe("getLiveness", "Check that the process is alive", "The process is alive.", "Health");
  const ready = probe(
    "getReadiness",
    "Check that the service accepts requests",
    "The service accepts requests.",
    "Health",
  );
  const schemas = schemaRoutes("Decision", "a decision", "any decision");
  const routes: readonly (readonly [path: string | undefined, route: Route])[] = [
    ["/", { ...info, redirected: hasPage }],
    ["/health/live", live],
    ["/health/ready", { ...ready, vital: false }],
    [hasPage ? "/docs" : undefined, page("getDocsPage", "Browse and try decisions")],
    ["/decisions", described("listDecisions", "List all decisions", "The decisions.", "DecisionList")],
    ["/decisions/{id}/schema", schemas.schema],
    ["/decisions/{id}/endpoint-schema", schemas.endpointSchema],
    [metricsEndpoint, { ...metricsPage, open: publicMetrics }],
    [openapiEndpoint, openapiDocument],
    [swaggerEndpoint, page("getSwaggerUI", "Browse and call this API")],
  ];
  return Object.fromEntries(
    routes.flatMap(([path, route]) =>
      path === undefined ? [] : [[path, { get: routeOperation(route, service) }]],
    ),
  );
}

/** @param name - of the decision, or its version, among the operations; of every decision together, `Decision` */
function schemaRoutes(name: string, what: string, of: Route["of"]) {
  const endpoint = name === "Decision" ? "" : name;
  return {
    schema: described(`get${name}Schema`, `Get the schemas of ${what}`, "The schemas.", "DecisionSchema", of),
    endpointSchema: described(
      `get${endpoint}EndpointSchema`,
      `Get the request and response schemas of ${what}`,
      "The schemas.",
      "EndpointSchema",
      of,
    ),
  };
}

function probe(operationId: string, summary: string, description: string, schema: string): Route {
  const content = json(schemaRef(schema));
  return { operationId, summary, tag: "Service", description, content, open: true, vital: true };
}

/** Needs no authentication: a browser cannot authenticate when it opens a page, and the page itself reveals nothing. */
function page(operationId: string, summary: string): Route {
  const content = { "text/html": { schema: { type: "string" } } };
  return {
    operationId,
    summary,
    tag: "Service",
    description: "The page.",
    content,
    open: true,
    tagged: true,
  };
}

const metricsPage: Route = {
  operationId: "getMetrics",
  summary: "Get metrics for Prometheus",
  tag: "Service",
  description: "The metrics, in the format that `Accept` prefers.",
  content: {
    "text/plain": { schema: { type: "string" } },
    "application/openmetrics-text": { schema: { type: "string" } },
  },
  vital: true,
};

const openapiDocument: Route = {
  operationId: "getOpenAPIDocument",
  summary: "Get this document",
  tag: "Service",
  description: "The OpenAPI 3.0.3 document.",
  content: json({ type: "object", additionalProperties: true }),
  tagged: true,
};

export function versionsPath(id: string): string {
  return `${decisionPath("/decisions", id)}/versions`;
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

export function versionSchemaPaths(
  { path, name, version: { decision } }: Evaluation,
  service: ServiceDescription,
): readonly (readonly [path: string, item: PathItemObject])[] {
  const what = `${decision.id}, version ${decision.version}`;
  const { schema, endpointSchema } = schemaRoutes(name, what, "version");
  return [
    [`${path}/schema`, { get: routeOperation(schema, service) }],
    [`${path}/endpoint-schema`, { get: routeOperation(endpointSchema, service) }],
  ];
}

const tag = "Protocols";

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
