import { type JsonSchema, toJsonSchema as ofPort, type Schema } from "@decern/core";
import {
  copyJson,
  isJsonObject,
  type JsonSchemaDialect,
  mapSubschemas,
  normalizeJsonSchema,
} from "@decern/core/schema";
import type { TSchema } from "typebox";
import { readType } from "./read/read-schema.js";

/**
 * Copies a schema with the `required` of one direction. A caller may omit a property that has a default; after validation
 * the property is always present.
 */
function inDirection(schema: JsonSchema, direction: "input" | "output"): JsonSchema {
  const copy = mapSubschemas(schema, (sub) => inDirection(sub, direction));
  const properties = copy["properties"];
  if (!isJsonObject(properties)) return copy;
  const filled = Object.keys(properties).filter((name) => hasDefault(properties[name]));
  if (filled.length === 0) return copy;
  const required: readonly unknown[] = Array.isArray(copy["required"]) ? copy["required"] : [];
  const others = required.filter((name) => !filled.some((key) => key === name));
  return { ...copy, required: direction === "input" ? others : [...others, ...filled] };
}

function hasDefault(property: unknown): boolean {
  return isJsonObject(property) && "default" in property;
}

/** Rewrites what draft-2020-12 names differently: tuples, examples and the place of definitions. */
function toDraft202012(schema: JsonSchema): Record<string, unknown> {
  const { $ref, items, additionalItems, definitions, example, ...rest } = mapSubschemas(
    schema,
    toDraft202012,
  );
  return {
    ...rest,
    ...(typeof $ref === "string" ? { $ref: $ref.replace("#/definitions/", "#/$defs/") } : {}),
    ...(Array.isArray(items) ? tuple(items, additionalItems) : items === undefined ? {} : { items }),
    ...(example === undefined || "examples" in rest ? {} : { examples: [example] }),
    ...(isJsonObject(definitions) ? { $defs: definitions } : {}),
  };
}

function tuple(prefixItems: readonly unknown[], rest: unknown): JsonSchema {
  return rest === undefined ? { prefixItems } : { prefixItems, items: rest };
}

const dialects = ["draft-07", "draft-2020-12"] as const;

/** Writes a draft-07 schema in the requested dialect. */
export function exportSchema(
  schema: JsonSchema,
  direction: "input" | "output",
  target: string,
): Record<string, unknown> {
  const dialect = dialects.find((known) => known === target);
  if (dialect === undefined) {
    throw new Error(`JSON Schema dialect "${target}" is not supported; use ${dialects.join(" or ")}`);
  }
  // A copy, so callers cannot change the schema that will be compiled.
  const directed = inDirection(schema, direction);
  return copyJson(dialect === "draft-07" ? directed : toDraft202012(directed));
}

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
