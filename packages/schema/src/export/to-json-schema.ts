import { type JsonSchema, toJsonSchema as ofPort, type Schema } from "@decern/core";
import { type JsonSchemaDialect, normalizeJsonSchema } from "@decern/core/schema";
import type { TSchema } from "typebox";
import { readType } from "../read/read-type.js";
import { exportSchema } from "./export-schema.js";

/**
 * Writes a schema as JSON Schema.
 *
 * @param schema - a TypeBox type, or a schema of any vendor that implements Standard JSON Schema v1
 * @param direction - `input` for what a caller may send, `output` for what validation returns
 * @throws DecernError `INVALID_DECISION` when a TypeBox type has no JSON form; any error of another vendor is passed on
 *
 * @example
 * ```ts
 * import { toJsonSchema } from "@decern/schema";
 * import { Type } from "typebox";
 *
 * toJsonSchema(Type.Object({ age: Type.Integer() }));
 * // { type: "object", required: ["age"], properties: { age: { type: "integer" } } }
 * ```
 */
export function toJsonSchema(
  schema: TSchema | Schema,
  direction: "input" | "output" = "input",
  dialect: JsonSchemaDialect = "draft-07",
): JsonSchema {
  if (isPort(schema)) return ofPort(schema, direction, dialect);
  // Patterns are not run here, so unsafe ones do no harm.
  const read = readType(schema, { allowUnsafePatterns: true });
  return normalizeJsonSchema(exportSchema(read.schema, direction, dialect));
}

function isPort(schema: TSchema | Schema): schema is Schema {
  return "~standard" in schema;
}
