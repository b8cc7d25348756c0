import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";

const annotationKeywords = new Set([
  "default",
  "deprecated",
  "description",
  "example",
  "externalDocs",
  "title",
]);

/** The keywords of a schema that describe its values without limiting them. */
function annotations(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => annotationKeywords.has(keyword) || keyword.startsWith("x-")),
  );
}

/** Whether a schema only has annotations, and so allows every value. */
function isAnnotation(schema: SchemaObject): boolean {
  return Object.keys(annotations(schema)).length === Object.keys(schema).length;
}

/**
 * Only `null`. OpenAPI 3.0 has no type for it, and `nullable` applies only next to a `type`. The type is `boolean`, because some
 * generators write code that does not compile for a string or a number without values.
 */
const nullSchema: SchemaObject = { type: "boolean", nullable: true, enum: [null] };

/** Allows `null` in a union: in its first branch that can be `nullable`, otherwise in one more branch. */
function withNullBranch(branches: readonly SchemaObject[]): readonly SchemaObject[] {
  const place = branches.findIndex(canBeNullable);
  if (place === -1) return [...branches, nullSchema];
  return branches.map((branch, index) => (index === place ? nullable(branch) : branch));
}

/** Rewrites `anyOf: [A, null]` as A with `nullable`, if A has a type. Does the same in longer unions. */
export function collapseNullUnion(schema: SchemaObject): SchemaObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: union, ...others } = schema;
    if (!Array.isArray(union)) continue;
    const branches = union.filter((one: unknown) => !isNullSchema(one));
    // Two null branches of a `oneOf` exclude each other.
    if (branches.length !== union.length - 1 || !branches.some(canBeNullable)) continue;
    const merged = withNullBranch(branches);
    const [branch] = merged;
    return merged.length === 1 && isAnnotation(others)
      ? { ...branch, ...others }
      : { ...schema, [keyword]: merged };
  }
  return schema;
}

/** Whether a schema has a type that excludes `null`, and no other part that would continue to exclude it. */
function canBeNullable(schema: unknown): boolean {
  if (!isJsonObject(schema) || typeof schema["type"] !== "string" || schema["nullable"] === true)
    return false;
  return !["allOf", "anyOf", "oneOf", "not"].some((keyword) => keyword in schema);
}

function nullable(schema: SchemaObject): SchemaObject {
  const { enum: values } = schema;
  return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

function isNullSchema(schema: unknown): boolean {
  return JSON.stringify(schema) === JSON.stringify(nullSchema);
}

/**
 * The schemas of values other than `null`: one for each type of value, and one for each object. An object is described by its
 * properties, because generators cannot write an `enum` of objects.
 *
 * @param types - leaves out values of other types
 */
function literalSchemas(
  values: readonly unknown[],
  types: readonly string[] | undefined,
): readonly SchemaObject[] {
  const scalars = new Map<string, unknown[]>();
  const objects = new Map<string, SchemaObject>();
  for (const value of values) {
    const type = value === null ? undefined : typeOf(value, types);
    if (type === undefined) continue;
    if (isJsonObject(value)) {
      objects.set(JSON.stringify(value), objectLiteral(value));
      continue;
    }
    const list = scalars.get(type) ?? [];
    if (!list.includes(value)) list.push(value);
    scalars.set(type, list);
  }
  const lists = [...scalars].map(([type, list]) => ({
    type,
    // OpenAPI 3.0 requires `items` on every array.
    ...(type === "array" ? { items: {} } : {}),
    enum: list,
  }));
  return [...lists, ...objects.values()];
}

function objectLiteral(value: Readonly<Record<string, unknown>>): SchemaObject {
  const names = Object.keys(value);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, literalSchema(value[name])])),
    ...(names.length > 0 ? { required: names } : {}),
    additionalProperties: false,
  };
}

function literalSchema(value: unknown): SchemaObject {
  return literalSchemas([value], undefined)[0] ?? nullSchema;
}

/** The type of a value, if it is one of the allowed types. */
function typeOf(value: unknown, types: readonly string[] | undefined): string | undefined {
  const type = Array.isArray(value) ? "array" : typeof value;
  if (types === undefined || types.includes(type)) return type;
  return type === "number" && types.includes("integer") && Number.isInteger(value) ? "integer" : undefined;
}

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

/** The schema of a list of values, some of which the types next to it may exclude. */
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
