import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";

/** Only `null`. OpenAPI 3.0 has no type for it, and `nullable` applies only beside a `type`. */
export const nullSchema: SchemaObject = { type: "string", nullable: true, enum: [null] };

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
  return withUnion(common, withNull ? [...own, nullSchema] : own);
}

/** Replaces a composition of a single schema by that schema. */
export function unwrapped(schema: SchemaObject): SchemaObject {
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined || others.length > 0 || !["allOf", "anyOf", "oneOf"].includes(keyword))
    return schema;
  const branches = schema[keyword];
  return Array.isArray(branches) && branches.length === 1 && isJsonObject(branches[0]) ? branches[0] : schema;
}

/** Whether a schema only has annotations, and so allows every value. */
export function isAnnotation(schema: SchemaObject): boolean {
  return Object.keys(annotations(schema)).length === Object.keys(schema).length;
}

const annotationKeywords = new Set([
  "default",
  "deprecated",
  "description",
  "example",
  "externalDocs",
  "title",
]);

function annotations(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => annotationKeywords.has(keyword) || keyword.startsWith("x-")),
  );
}

function valuesSchema(
  values: readonly unknown[],
  types: readonly string[] | undefined,
  rest: SchemaObject,
): SchemaObject {
  const withNull = values.includes(null) && (types === undefined || types.includes("null"));
  const byType = new Map<string, unknown[]>();
  for (const value of values) {
    if (value === null) continue;
    const type = typeOf(value, types);
    if (type === undefined) continue;
    const list = byType.get(type) ?? [];
    if (!list.includes(value)) list.push(value);
    byType.set(type, list);
  }
  const branches = [...byType].map(([type, list]) => ({ type, enum: list }));
  const [branch] = branches;
  if (branch === undefined) return { ...annotations(rest), ...(withNull ? nullSchema : { not: {} }) };
  if (branches.length > 1) return withUnion(rest, withNull ? [...branches, nullSchema] : branches);
  const { type, enum: list } = branch;
  const typed = { type, ...defaultItems(type, rest), ...rest };
  return withNull ? { ...typed, nullable: true, enum: [...list, null] } : { ...typed, enum: list };
}

function withUnion(rest: SchemaObject, branches: readonly SchemaObject[]): SchemaObject {
  if (!("anyOf" in rest)) return { ...rest, anyOf: branches };
  const allOf: unknown = rest["allOf"];
  return { ...rest, allOf: [...(Array.isArray(allOf) ? allOf : []), { anyOf: branches }] };
}

/** The type of a value, if it is one of the allowed types. */
function typeOf(value: unknown, types: readonly string[] | undefined): string | undefined {
  const type = Array.isArray(value) ? "array" : typeof value;
  if (types === undefined || types.includes(type)) return type;
  return type === "number" && types.includes("integer") && Number.isInteger(value) ? "integer" : undefined;
}

function ofType(type: string, schema: SchemaObject): SchemaObject {
  const keywords = keywordsOfType[type] ?? [];
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}

/** OpenAPI 3.0 requires `items` on every array. */
function defaultItems(type: string, rest: SchemaObject): SchemaObject {
  return type === "array" && !("items" in rest) ? { items: {} } : {};
}
