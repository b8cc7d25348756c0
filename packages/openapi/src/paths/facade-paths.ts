import type { DescribedRoute, ServiceDescription } from "@decern/core/host";
import { commonResponses, unavailable } from "../components/common-responses.js";
import { headers, parameterRef } from "../components/shared-responses.js";
import type { OpenAPIDocument, OperationObject, PathItemObject } from "../document/document.js";
import { json } from "./route-operation.js";

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
