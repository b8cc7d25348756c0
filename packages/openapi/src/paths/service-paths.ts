import type { ServiceDescription } from "@decern/core/host";
import {
  commonResponses,
  ofDecision,
  ok,
  securedResponses,
  unavailable,
} from "../components/common-responses.js";
import { schemaRef } from "../components/component-schemas.js";
import { parameterRef, responseRef } from "../components/shared-responses.js";
import type { Content, OperationObject, PathItemObject, SchemaObject } from "../document/document.js";

interface Route {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: "Catalogue" | "Service";
  readonly description: string;
  readonly content: Content;
  /** Needs no authentication, even if the service requires it elsewhere. */
  readonly open?: boolean;
  /** Available under load and while the server is closing. */
  readonly vital?: boolean;
  /** Has a strong `ETag` and supports `If-None-Match`. */
  readonly tagged?: boolean;
  /** Has the id of a decision in its path. */
  readonly ofDecision?: boolean;
}

const html: Content = { "text/html": { schema: { type: "string" } } };
const json = (schema: SchemaObject): Content => ({ "application/json": { schema } });

/** Every route of the standalone server except the evaluations, by path. */
export function servicePaths(service: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  const { metricsEndpoint, openapiEndpoint, swaggerEndpoint } = service;
  const routes: [path: string | undefined, route: Route][] = [
    [
      "/",
      probe(
        "getServiceInfo",
        "Describe this service",
        "The name, version and number of decisions.",
        "ServiceInfo",
      ),
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
      {
        ...described("getDecisionSchema", "Get the schemas of a decision", "The schemas.", "DecisionSchema"),
        ofDecision: true,
      },
    ],
    [
      "/decisions/{id}/endpoint-schema",
      {
        ...described(
          "getEndpointSchema",
          "Get the request and response schemas of a decision",
          "The schemas.",
          "EndpointSchema",
        ),
        ofDecision: true,
      },
    ],
    [metricsEndpoint, metricsPage(service)],
    [openapiEndpoint, openapiDocument],
    [swaggerEndpoint, page("getSwaggerUI", "Browse and call this API")],
  ];
  return Object.fromEntries(
    routes.flatMap(([path, route]) =>
      path === undefined ? [] : [[path, { get: operation(route, service) }]],
    ),
  );
}

function operation(route: Route, service: ServiceDescription): OperationObject {
  const { operationId, summary, tag, description, content } = route;
  const parameters = [
    ...(route.ofDecision === true ? ["DecisionId"] : []),
    ...(route.tagged === true ? ["IfNoneMatch"] : []),
    "RequestId",
  ];
  return {
    operationId,
    summary,
    tags: [tag],
    parameters: parameters.map(parameterRef),
    responses: {
      "200": ok(description, content, route.tagged === true ? { etag: "ETag" } : {}),
      ...(route.tagged === true ? { "304": responseRef("NotModified") } : {}),
      ...(route.open === true ? {} : securedResponses(service)),
      ...(route.ofDecision === true ? { "400": responseRef("BadRequest"), ...ofDecision } : {}),
      ...commonResponses,
      ...(route.vital === true ? {} : unavailable),
    },
    ...(route.open === true && service.security !== undefined ? { security: [] } : {}),
  };
}

function probe(operationId: string, summary: string, description: string, schema: string): Route {
  const content = json(schemaRef(schema));
  return { operationId, summary, tag: "Service", description, content, open: true, vital: true };
}

function described(operationId: string, summary: string, description: string, schema: string): Route {
  return {
    operationId,
    summary,
    tag: "Catalogue",
    description,
    content: json(schemaRef(schema)),
    tagged: true,
  };
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
    open: service.protectMetrics !== true,
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
