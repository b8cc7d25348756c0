import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";

type Convert = (subschema: unknown) => SchemaObject;

/** `minimum` and the other limits. In OpenAPI 3.0, an exclusive limit is a flag next to the limit. */
export function boundKeywords(schema: JsonSchema): SchemaObject {
  return {
    ...bound(schema, "minimum", "exclusiveMinimum", 1),
    ...bound(schema, "maximum", "exclusiveMaximum", -1),
  };
}

function bound(schema: JsonSchema, inclusive: string, exclusive: string, sign: 1 | -1): SchemaObject {
  const limit = schema[inclusive];
  const excluded = schema[exclusive];
  if (typeof excluded === "number" && (typeof limit !== "number" || sign * excluded >= sign * limit)) {
    return { [inclusive]: excluded, [exclusive]: true };
  }
  return typeof limit === "number" ? { [inclusive]: limit } : {};
}

/** `properties` and related keywords. OpenAPI 3.0 has no `patternProperties`. */
export function objectKeywords(schema: JsonSchema, convert: Convert): SchemaObject {
  const additional = additionalProperties(schema, convert);
  const required = stringsIn(schema["required"]);
  const given = schema["properties"];
  const properties = new Map(
    isJsonObject(given) ? Object.entries(given).map(([name, property]) => [name, convert(property)]) : [],
  );
  // A required property without a description has the schema of additional properties.
  const undescribed = isJsonObject(additional) ? additional : convert(additional);
  for (const name of required) {
    if (!properties.has(name)) properties.set(name, undescribed);
  }
  return {
    ...(isJsonObject(given) || properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(additional === undefined ? {} : { additionalProperties: additional }),
    ...(required.length > 0 ? { required } : {}),
  };
}

function additionalProperties(schema: JsonSchema, convert: Convert): SchemaObject | boolean | undefined {
  const { additionalProperties: additional, patternProperties: patterns } = schema;
  const own = typeof additional === "boolean" || additional === undefined ? additional : convert(additional);
  if (!isJsonObject(patterns)) return own;
  const entries = Object.entries(patterns);
  const all = entries.find(([pattern]) => /^\^?(\.\*|\(\.\*\))?\$?$/.test(pattern));
  if (all !== undefined) return convert(all[1]);
  // Properties that match no pattern may have any value.
  if (own === undefined || own === true) return own;
  return union([...entries.map(([, subschema]) => convert(subschema)), ...(own === false ? [] : [own])]);
}

/** `items`. A tuple becomes an array whose items have any of the tuple's types, with the tuple's length. */
export function arrayKeywords(schema: JsonSchema, convert: Convert): SchemaObject {
  const { prefixItems, items, additionalItems, maxItems } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : items;
  if (!Array.isArray(tuple)) return items === undefined ? {} : { items: convert(items) };
  const more = Array.isArray(prefixItems) ? items : additionalItems;
  const places = tuple.map((place) => convert(place));
  if (more === false) {
    const length = typeof maxItems === "number" ? Math.min(maxItems, places.length) : places.length;
    return { items: union(places), maxItems: length };
  }
  // At its maximum length, no item follows the tuple.
  if (typeof maxItems === "number" && maxItems <= places.length) return { items: union(places) };
  return { items: more === undefined || more === true ? {} : union([...places, convert(more)]) };
}

/** A schema that allows every value that one of the given schemas allows. */
function union(schemas: readonly SchemaObject[]): SchemaObject {
  const [first, ...others] = distinct(schemas);
  if (first === undefined || schemas.some((schema) => Object.keys(schema).length === 0)) return {};
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

export function distinct(schemas: readonly SchemaObject[]): readonly SchemaObject[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function stringsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? [...new Set(list.filter((one) => typeof one === "string"))] : [];
}
