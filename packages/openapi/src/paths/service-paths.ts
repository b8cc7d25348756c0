import type { ServiceDescription } from "@decern/core/host";
import { schemaRef } from "../components/component-schemas.js";
import type { Content, PathItemObject } from "../document/document.js";
import { described, json, type Route, routeOperation } from "./route-operation.js";

const html: Content = { "text/html": { schema: { type: "string" } } };

/** Every route of the standalone server except the evaluations, by path. */
export function servicePaths(service: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  const { metricsEndpoint, openapiEndpoint, swaggerEndpoint } = service;
  const routes: [path: string | undefined, route: Route][] = [
    [
      "/",
      {
        ...probe(
          "getServiceInfo",
          "Describe this service",
          "The name, version and number of decisions.",
          "ServiceInfo",
        ),
        redirected: service.docs !== false,
      },
    ],
    [
      "/health/live",
      probe("getLiveness", "Check that the process is alive", "The process is alive.", "Health"),
    ],
    [
      "/health/ready",
      {
        ...probe(
          "getReadiness",
          "Check that the service accepts requests",
          "The service accepts requests.",
          "Health",
        ),
        vital: false,
      },
    ],
    [
      service.docs === false ? undefined : "/docs",
      { ...page("getDocsPage", "Browse and try decisions"), tagged: true },
    ],
    ["/decisions", described("listDecisions", "List all decisions", "The decisions.", "DecisionList")],
    [
      "/decisions/{id}/schema",
      described(
        "getDecisionSchema",
        "Get the schemas of a decision",
        "The schemas.",
        "DecisionSchema",
        "any decision",
      ),
    ],
    [
      "/decisions/{id}/endpoint-schema",
      described(
        "getEndpointSchema",
        "Get the request and response schemas of a decision",
        "The schemas.",
        "EndpointSchema",
        "any decision",
      ),
    ],
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
