import { type JsonSchema, type Schema, toJsonSchema } from "@decern/core";

/** The JSON Schema of a schema, in the dialect of OpenAPI 3.0 where its vendor knows that, else in draft-07. */
export function portSchema(schema: Schema, direction: "input" | "output"): JsonSchema {
  try {
    return toJsonSchema(schema, direction, "openapi-3.0");
  } catch {
    // Who does not know the dialect throws; what is wrong with the schema itself is thrown again.
    return toJsonSchema(schema, direction, "draft-07");
  }
}
