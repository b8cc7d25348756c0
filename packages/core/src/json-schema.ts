import type { JsonSchemaDialect } from "./standard-schema.js";

/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const schemaMaps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemas = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Tells a plain JSON object from everything else. */
export function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rebuilds every subschema of a schema, one level down; what is no schema is kept as it is. */
export function mapSubschemas(schema: JsonSchema, map: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const one = (value: unknown): unknown => (isJsonObject(value) ? map(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (schemaMaps.has(keyword) && isJsonObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, one(sub)]))];
      }
      if ((schemaLists.has(keyword) || keyword === "items") && Array.isArray(value))
        return [keyword, value.map(one)];
      return [keyword, schemas.has(keyword) ? one(value) : value];
    }),
  );
}

/**
 * Gives the schemas of every vendor one shape: no `$schema` inside, unions of literals as `enum`, `required` on every
 * object (OpenAPI 3.0 forbids an empty one).
 */
export function normalizeJsonSchema(schema: JsonSchema, dialect: JsonSchemaDialect): JsonSchema {
  const { $schema: _dialect, ...rest } = mapSubschemas(schema, (sub) => normalizeJsonSchema(sub, dialect));
  const collapsed = collapseLiteralUnion(rest);
  if (collapsed["type"] !== "object") return collapsed;
  if (dialect === "openapi-3.0") {
    const { required, ...others } = collapsed;
    return Array.isArray(required) && required.length > 0 ? collapsed : others;
  }
  return { ...collapsed, properties: collapsed["properties"] ?? {}, required: collapsed["required"] ?? [] };
}

/** `anyOf: [{ const: "a" }, { const: "b" }]` says the same as `enum: ["a", "b"]`, and reads worse. */
function collapseLiteralUnion(schema: JsonSchema): JsonSchema {
  // Beside another list of values the union narrows, and replacing one by the other would widen it.
  if ("enum" in schema || "const" in schema || ("anyOf" in schema && "oneOf" in schema)) return schema;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const values = new Set<unknown>();
    let listed = 0;
    let strings = true;
    for (const branch of branches) {
      const literals = literalsOf(branch);
      if (literals === undefined) return schema;
      for (const literal of literals) {
        values.add(literal);
        listed += 1;
        strings &&= typeof literal === "string";
      }
    }
    // `oneOf` refuses what two branches allow.
    if (keyword === "oneOf" && values.size < listed) return schema;
    const { [keyword]: _union, ...rest } = schema;
    return { ...(strings ? { type: "string" } : {}), ...rest, enum: [...values] };
  }
  return schema;
}

/** The scalars that a branch allows, when it does nothing but list them. */
function literalsOf(branch: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(branch)) return undefined;
  if (Object.keys(branch).some((keyword) => !["type", "const", "enum"].includes(keyword))) return undefined;
  const only = branch["type"] === "null" && Object.keys(branch).length === 1 ? [null] : branch["enum"];
  const literals = "const" in branch ? [branch["const"]] : only;
  if (!Array.isArray(literals)) return undefined;
  return literals.every((literal) => typeof literal !== "object" || literal === null) ? literals : undefined;
}
