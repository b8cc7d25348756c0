import { type Decision, extractDecisionSchema, type JsonSchema } from "@decern/core";
import { anyResultSchema, mapSubschemas } from "@decern/core/schema";

/** How to call a decision: the body of `GET /decisions/:id/endpoint-schema`. */
export interface EndpointSchema {
  readonly id: string;
  readonly method: "POST";
  readonly path: string;
  readonly requestSchema: JsonSchema;
  readonly responseSchema: JsonSchema;
}

/** Describes the endpoint of a decision with the decision's own schemas. */
export function describeEndpoint(decision: Decision): EndpointSchema {
  const { id, inputSchema, outputSchema, profileSchema } = extractDecisionSchema(decision);
  return {
    id,
    method: "POST",
    path: `/decisions/${id}`,
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
