import { type Decision, extractDecisionSchema, type JsonSchema } from "@decern/core";
import { mapSubschemas } from "@decern/core/schema";

/** How to call a decision: the body of `GET /decisions/:id/endpoint-schema`. */
export interface EndpointSchema {
  readonly id: string;
  readonly method: "POST";
  readonly path: string;
  readonly requestSchema: JsonSchema;
  readonly responseSchema: JsonSchema;
}

const text = { type: "string" } as const;

const metaSchema = {
  type: "object",
  properties: {
    decisionId: text,
    decisionVersion: text,
    matchedRule: text,
    explanation: text,
    evaluatedAt: { type: "string", format: "date-time" },
    evaluatedRules: {
      type: "array",
      items: {
        type: "object",
        properties: { ruleId: text, matched: { type: "boolean" }, explanation: text },
        required: ["ruleId", "matched"],
      },
    },
  },
  required: ["decisionId", "evaluatedAt"],
} as const;

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
    responseSchema: {
      type: "object",
      properties: {
        status: { ...text, enum: ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE"] },
        data: nest(outputSchema, "data"),
        meta: metaSchema,
      },
      required: ["status", "meta"],
    },
  };
}

/** Moves a schema under a property: references into the schema itself must move with it. */
function nest(schema: JsonSchema, property: string): JsonSchema {
  // An `$id` of its own keeps references where they are.
  if ("$id" in schema) return schema;
  const { $ref } = schema;
  const nested = mapSubschemas(schema, (subschema) => nest(subschema, property));
  if (typeof $ref !== "string" || !/^#(\/|$)/.test($ref)) return nested;
  return { ...nested, $ref: `#/properties/${property}${$ref.slice(1)}` };
}
