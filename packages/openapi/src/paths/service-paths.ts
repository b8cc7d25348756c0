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
  /** Open to everybody, also where the service asks who the caller is. */
  readonly open?: boolean;
  /** Answers under load and while closing. */
  readonly vital?: boolean;
  /** Has a strong `ETag`, and answers `If-None-Match`. */
  readonly tagged?: boolean;
  /** Has a decision's id in its path. */
  readonly ofDecision?: boolean;
}

const html: Content = { "text/html": { schema: { type: "string" } } };
const json = (schema: SchemaObject): Content => ({ "application/json": { schema } });

/** Every route of the standalone server but the evaluations, by path. */
export function servicePaths(service: ServiceDescription): Readonly<Record<string, PathItemObject>> {
  const { metricsEndpoint, openapiEndpoint, swaggerEndpoint } = service;
  const routes: [path: string | undefined, route: Route][] = [
    ["/", probe("getServiceInfo", "What this service is", "ServiceInfo")],
    ["/health/live", probe("getLiveness", "Whether the process is alive", "Health")],
    [
      "/health/ready",
      { ...probe("getReadiness", "Whether the service takes requests", "Health"), vital: false },
    ],
    [
      service.docs === false ? undefined : "/docs",
      { ...page("getDocsPage", "A page to browse and try decisions"), tagged: true },
    ],
    ["/decisions", described("listDecisions", "Every decision", "DecisionList")],
    [
      "/decisions/{id}/schema",
      { ...described("getDecisionSchema", "The schemas of a decision", "DecisionSchema"), ofDecision: true },
    ],
    [
      "/decisions/{id}/endpoint-schema",
      {
        ...described("getEndpointSchema", "How a decision's endpoint is called", "EndpointSchema"),
        ofDecision: true,
      },
    ],
    [metricsEndpoint, metricsPage(service)],
    [openapiEndpoint, openapiDocument],
    [swaggerEndpoint, page("getSwaggerUI", "A page to browse and call this API")],
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

function probe(operationId: string, summary: string, schema: string): Route {
  const content = json(schemaRef(schema));
  return { operationId, summary, tag: "Service", description: "It is.", content, open: true, vital: true };
}

function described(operationId: string, summary: string, schema: string): Route {
  return {
    operationId,
    summary,
    tag: "Catalogue",
    description: summary,
    content: json(schemaRef(schema)),
    tagged: true,
  };
}

/** Open: a browser that opens a page cannot say who the caller is, and the page has nothing of a decision in it. */
function page(operationId: string, summary: string): Route {
  return { operationId, summary, tag: "Service", description: "The page.", content: html, open: true };
}

function metricsPage(service: ServiceDescription): Route {
  return {
    operationId: "getMetrics",
    summary: "Metrics, for Prometheus",
    tag: "Service",
    description: "The format that `Accept` asks for.",
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
  summary: "This document",
  tag: "Service",
  description: "OpenAPI 3.0.3.",
  content: json({ type: "object", additionalProperties: true }),
  tagged: true,
};
