import { isJsonObject, type JsonSchema } from "@decern/core";

/** OpenAPI 3.0 has no tuples, and wants `items` on every list. */
export function tupleForOpenApi(schema: JsonSchema): JsonSchema {
  const { additionalItems, ...others } = schema;
  const { items, maxItems } = others;
  const rest = isOrdered(items, additionalItems) ? { ...others, "x-prefixItems": items } : others;
  if (!Array.isArray(items)) return rest["type"] === "array" ? { ...rest, items: items ?? {} } : rest;
  if (additionalItems === false) {
    const longest = typeof maxItems === "number" ? Math.min(maxItems, items.length) : items.length;
    return { ...rest, items: oneOfThem(items), maxItems: longest };
  }
  return { ...rest, items: isJsonObject(additionalItems) ? oneOfThem([...items, additionalItems]) : {} };
}

/** OpenAPI 3.0 asks nothing of keys. */
export function keysForOpenApi(schema: JsonSchema): JsonSchema {
  const { patternProperties, propertyNames, ...others } = schema;
  const rest = propertyNames === undefined ? others : { ...others, "x-propertyNames": propertyNames };
  if (!isJsonObject(patternProperties)) return rest;
  const { additionalProperties } = rest;
  const kept = { ...rest, "x-patternProperties": patternProperties };
  const schemas = Object.values(patternProperties);
  if (additionalProperties === false) return { ...kept, additionalProperties: oneOfThem(schemas) };
  if (isJsonObject(additionalProperties)) {
    return { ...kept, additionalProperties: oneOfThem([...schemas, additionalProperties]) };
  }
  return kept;
}

/** A tuple whose places, or what may follow them, differ, so that their order is lost. */
function isOrdered(items: unknown, additionalItems: unknown): boolean {
  if (!Array.isArray(items)) return false;
  const more = additionalItems === false ? [] : [isJsonObject(additionalItems) ? additionalItems : {}];
  return new Set([...items, ...more].map((item) => JSON.stringify(item))).size > 1;
}

function oneOfThem(schemas: readonly unknown[]): unknown {
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [only, ...more] = distinct.values();
  return more.length === 0 ? (only ?? {}) : { anyOf: [...distinct.values()] };
}
