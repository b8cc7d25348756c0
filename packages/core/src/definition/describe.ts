import { type JsonSchema, normalizeJsonSchema } from "../schema/json-schema.js";
import type { JsonSchemaDialect, Schema } from "../schema/standard-schema.js";
import type { Decision, DecisionInfo, DecisionSchema } from "./decision.js";

/** A decision as a listing shows it. */
export function describeDecision(decision: Decision): DecisionInfo {
  const { id, version, description, meta } = decision;
  return {
    id,
    version,
    ...(description === undefined ? {} : { description }),
    ...(meta === undefined ? {} : { meta }),
  };
}

/**
 * The JSON Schema of any schema of the port, in one shape for all vendors.
 *
 * @param direction - `input` for what may be sent, `output` for what comes out of validation
 * @throws what the vendor throws when it does not know the dialect
 */
export function toJsonSchema(
  schema: Schema,
  direction: "input" | "output" = "input",
  dialect: JsonSchemaDialect = "draft-07",
): JsonSchema {
  return normalizeJsonSchema(schema["~standard"].jsonSchema[direction]({ target: dialect }));
}

/** A decision's three schemas: what a caller sends, what `data` is, what a profile looks like. */
export function extractDecisionSchema(
  decision: Decision,
  dialect: JsonSchemaDialect = "draft-07",
): DecisionSchema {
  return {
    id: decision.id,
    version: decision.version,
    inputSchema: toJsonSchema(decision.inputSchema, "input", dialect),
    outputSchema: toJsonSchema(decision.outputSchema, "output", dialect),
    profileSchema: toJsonSchema(decision.profileSchema, "input", dialect),
  };
}
