import { type Decision, extractDecisionSchema, type JsonSchema } from "@decern/core";
import { anyResultSchema, mapSubschemas } from "@decern/core/schema";

/** How to call a decision: the body of `GET /decisions/:id/endpoint-schema`, and of the same for one version. */
export interface EndpointSchema {
  readonly id: string;
  readonly method: "POST";
  readonly path: string;
  readonly requestSchema: JsonSchema;
  readonly responseSchema: JsonSchema;
}

/**
 * Describes the endpoint of a decision with the decision's own schemas.
 *
 * @param isPinned - whether to describe the endpoint of this version instead of that of the default version
 */
export function describeEndpoint(decision: Decision, isPinned: boolean): EndpointSchema {
  const { id, version, inputSchema, outputSchema, profileSchema } = extractDecisionSchema(decision);
  return {
    id,
    method: "POST",
    path: isPinned ? `/decisions/${id}/versions/${encodeURIComponent(version)}` : `/decisions/${id}`,
    requestSchema: {
      type: "object",
      properties: { input: nest(inputSchema, "input"), profile: nest(profileSchema, "profile") },
      required: ["input"],
    },
    responseSchema: anyResultSchema(nest(outputSchema, "data")),
  };
}

/** Moves a schema under a property: references into the schema itself must move with it. */
function nest(schema: JsonSchema, property: string): JsonSchema {
  // A schema with its own `$id` resolves its references against that, wherever it stands.
  if ("$id" in schema) return schema;
  const { $ref } = schema;
  const nested = mapSubschemas(schema, (subschema) => nest(subschema, property));
  if (typeof $ref !== "string" || !/^#(\/|$)/.test($ref)) return nested;
  return { ...nested, $ref: `#/properties/${property}${$ref.slice(1)}` };
}
