import { isJsonObject, unescapePointer } from "./json.js";

/** A JSON Schema as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Keywords that contain schemas, and in which form. All other keywords contain data. */
const holders: ReadonlyMap<string, "schema" | "list" | "map" | "schemaOrList"> = new Map([
  ["$defs", "map"],
  ["additionalItems", "schema"],
  ["additionalProperties", "schema"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["contains", "schema"],
  ["definitions", "map"],
  ["dependentSchemas", "map"],
  ["else", "schema"],
  ["if", "schema"],
  ["items", "schemaOrList"],
  ["not", "schema"],
  ["oneOf", "list"],
  ["patternProperties", "map"],
  ["prefixItems", "list"],
  ["properties", "map"],
  ["propertyNames", "schema"],
  ["then", "schema"],
  ["unevaluatedItems", "schema"],
  ["unevaluatedProperties", "schema"],
]);

/** Maps every direct subschema of a schema. Keeps all other values. */
export function mapSubschemas(schema: JsonSchema, map: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const one = (value: unknown): unknown => (isJsonObject(value) ? map(value) : value);
  return mapValues(schema, (value, keyword) => {
    // Fast path: most keywords hold a scalar, and ten thousand decisions have a hundred thousand keywords.
    if (typeof value !== "object" || value === null) return value;
    const holds = holders.get(keyword);
    if (holds === undefined) return value;
    if (holds === "map") return isJsonObject(value) ? mapValues(value, one) : value;
    if (Array.isArray(value)) return holds === "schema" ? value : value.map(one);
    return holds === "list" ? value : one(value);
  });
}

function mapValues(object: JsonSchema, map: (value: unknown, key: string) => unknown): JsonSchema {
  const mapped: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const value = map(object[key], key);
    // Assigning to `__proto__` would set the prototype instead of a property.
    if (key === "__proto__")
      Object.defineProperty(mapped, key, { value, enumerable: true, configurable: true });
    else mapped[key] = value;
  }
  return mapped;
}

/**
 * Gives the schemas of every vendor one shape: no `$schema` inside, unions of literals as `enum`, `required` on every
 * object.
 */
export function normalizeJsonSchema(schema: JsonSchema): JsonSchema {
  return normalizeSchemaNode(mapSubschemas(schema, normalizeJsonSchema));
}

/** {@link normalizeJsonSchema} for a schema whose subschemas are already normalized. */
export function normalizeSchemaNode(schema: JsonSchema): JsonSchema {
  const collapsed = collapseLiteralUnion(withoutDialect(schema));
  if (!allowsObjects(collapsed["type"])) return collapsed;
  if ("properties" in collapsed && "required" in collapsed) return collapsed;
  return { ...collapsed, properties: collapsed["properties"] ?? {}, required: collapsed["required"] ?? [] };
}

function allowsObjects(type: unknown): boolean {
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

function withoutDialect(schema: JsonSchema): JsonSchema {
  if (!("$schema" in schema)) return schema;
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

/** Rewrites `anyOf: [{ const: "a" }, { const: "b" }]` as `enum: ["a", "b"]`, which is easier to read. */
function collapseLiteralUnion(schema: JsonSchema): JsonSchema {
  // Next to another list of values the union narrows that list, so replacing it would widen the schema.
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
    // `oneOf` refuses values that two branches allow, and `enum` must not be empty.
    if (values.size === 0 || (keyword === "oneOf" && values.size < listed)) return schema;
    const { [keyword]: _union, ...rest } = schema;
    return { ...(strings ? { type: "string" } : {}), ...rest, enum: [...values] };
  }
  return schema;
}

/** The scalars that a branch allows, if it only lists values. */
function literalsOf(branch: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(branch)) return undefined;
  const { type, const: only, enum: listed, ...others } = branch;
  if (Object.keys(others).length > 0) return undefined;
  const constant = "const" in branch ? [only] : undefined;
  const literals = constant ?? listed ?? (type === "null" ? [null] : undefined);
  if (!Array.isArray(literals) || !literals.every(isScalar)) return undefined;
  // All keywords of a branch apply: a `const` that its `enum` or `type` refuses does not count.
  const also: readonly unknown[] = constant !== undefined && Array.isArray(listed) ? listed : literals;
  const types: readonly unknown[] | undefined = Array.isArray(type)
    ? type
    : type === undefined
      ? undefined
      : [type];
  return literals.filter(
    (literal) => also.includes(literal) && (types?.some((name) => isOf(literal, name)) ?? true),
  );
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function isOf(scalar: unknown, type: unknown): boolean {
  if (type === "integer") return Number.isInteger(scalar);
  return type === (scalar === null ? "null" : typeof scalar);
}

const maxHops = 16;

/** Neighbouring unions multiply. */
const maxNodes = 64;

/** The schemas that a value may follow: references followed, alternatives listed, what applies together put together. */
export function schemaNodes(schema: unknown, root: JsonSchema, hops = maxHops): readonly JsonSchema[] {
  if (!isJsonObject(schema) || hops === 0) return [];
  const { $ref: reference, allOf, anyOf, oneOf, ...own } = schema;
  let nodes: readonly JsonSchema[] = [own];
  const together = (others: readonly JsonSchema[]): void => {
    if (others.length === 0) return;
    nodes = nodes.flatMap((node) => others.map((other) => merge(other, node))).slice(0, maxNodes);
  };
  if (typeof reference === "string") together(schemaNodes(lookUp(reference, root), root, hops - 1));
  for (const part of listOf(allOf)) together(schemaNodes(part, root, hops - 1));
  for (const branches of [anyOf, oneOf]) {
    together(listOf(branches).flatMap((branch) => schemaNodes(branch, root, hops - 1)));
  }
  return nodes;
}

/** Both together, as far as the search needs it: what the second says of a keyword wins. */
function merge(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties = { ...objectOf(first["properties"]), ...objectOf(second["properties"]) };
  const required = [...listOf(first["required"]), ...listOf(second["required"])];
  return { ...first, ...second, properties, required };
}

/** Only a place in the same document: `#`, `#/…`, or the name of a definition. */
function lookUp(reference: string, root: JsonSchema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) {
    const name = reference.replace(/^#/, "");
    return memberOf(root["$defs"], name) ?? memberOf(root["definitions"], name);
  }
  let value: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    value = memberOf(value, unescapePointer(token));
  }
  return value;
}

/** An own property, never an inherited one. */
export function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): JsonSchema {
  return isJsonObject(value) ? value : {};
}

const dayMs = 86_400_000;

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days since 1970-01-01; `undefined` for text that isn't a day of the calendar. */
export function dayOf(text: string): number | undefined {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  // Not `Date.UTC`, which takes years below 100 for those of the last century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // JavaScript takes 30 February for 2 March.
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isDay ? Math.round(date.getTime() / dayMs) : undefined;
}
