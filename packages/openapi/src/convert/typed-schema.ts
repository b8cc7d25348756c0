import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";
import { annotations } from "./annotations.js";
import { literalSchemas } from "./literal-schemas.js";
import { nullSchema, withNullBranch } from "./null-branch.js";

const keywordsOfType: Readonly<Record<string, readonly string[]>> = {
  string: ["format", "maxLength", "minLength", "pattern"],
  number: ["exclusiveMaximum", "exclusiveMinimum", "format", "maximum", "minimum", "multipleOf"],
  integer: ["exclusiveMaximum", "exclusiveMinimum", "format", "maximum", "minimum", "multipleOf"],
  boolean: [],
  array: ["items", "maxItems", "minItems", "uniqueItems"],
  object: ["additionalProperties", "maxProperties", "minProperties", "properties", "required"],
};
const typedKeywords = new Set(Object.values(keywordsOfType).flat());

/**
 * Adds the types and values of its source to a schema. OpenAPI 3.0 allows one type per schema, has no `const`, and expresses
 * `null` only with `nullable`.
 *
 * @param source - the schema to convert, with `type`, `const` and `enum`
 * @param rest - its other keywords, converted
 */
export function typedSchema(source: JsonSchema, rest: SchemaObject): SchemaObject {
  const { type } = source;
  const types = type === undefined ? undefined : [type].flat().filter((one) => typeof one === "string");
  const values = "const" in source ? [source["const"]] : source["enum"];
  if (Array.isArray(values)) return valuesSchema(values, types, rest);
  if (types === undefined) return rest;
  const withNull = types.includes("null");
  const branches = types
    .filter((one) => one !== "null")
    .map((one) => ({ type: one, ...defaultItems(one, rest) }));
  if (branches.length < 2) {
    const [branch] = branches;
    if (branch === undefined) return { ...annotations(rest), ...nullSchema };
    return { ...branch, ...rest, ...(withNull ? { nullable: true } : {}) };
  }
  const own = branches.map((branch) => ({ ...branch, ...ofType(branch.type, rest) }));
  const common = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !typedKeywords.has(keyword)));
  return withUnion(common, withNull ? withNullBranch(own) : own);
}

/** Replaces a composition of a single schema by that schema. */
export function unwrapped(schema: SchemaObject): SchemaObject {
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined || others.length > 0 || !["allOf", "anyOf", "oneOf"].includes(keyword))
    return schema;
  const branches = schema[keyword];
  return Array.isArray(branches) && branches.length === 1 && isJsonObject(branches[0]) ? branches[0] : schema;
}

/** The schema of a list of values, some of which the types beside it may exclude. */
function valuesSchema(
  values: readonly unknown[],
  types: readonly string[] | undefined,
  rest: SchemaObject,
): SchemaObject {
  const withNull = values.includes(null) && (types === undefined || types.includes("null"));
  const literals = literalSchemas(values, types);
  if (literals.length === 0) return { ...annotations(rest), ...(withNull ? nullSchema : { not: {} }) };
  const branches = withNull ? withNullBranch(literals) : literals;
  const [only] = branches;
  const merges =
    branches.length === 1 && Object.keys(only ?? {}).every((name) => name === "items" || !(name in rest));
  return merges ? { ...only, ...rest } : withUnion(rest, branches);
}

function withUnion(rest: SchemaObject, branches: readonly SchemaObject[]): SchemaObject {
  if (!("anyOf" in rest)) return { ...rest, anyOf: branches };
  const allOf: unknown = rest["allOf"];
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: branches }] };
}

function ofType(type: string, schema: SchemaObject): SchemaObject {
  const keywords = keywordsOfType[type] ?? [];
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}

/** OpenAPI 3.0 requires `items` on every array. */
function defaultItems(type: string, rest: SchemaObject): SchemaObject {
  return type === "array" && !("items" in rest) ? { items: {} } : {};
}
