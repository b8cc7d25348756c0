import { isJsonObject, mapSubschemas } from "@decern/core/schema";

/** Keywords that the dialect of OpenAPI 3.0 leaves out or widens. */
const inexact = new Set([
  "additionalItems",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "patternProperties",
  "prefixItems",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * Tells whether a JSON Schema says the same when written in the dialect of OpenAPI 3.0. Where it does not, the result
 * allows more: harmless, unless it stands in a `not` or among alternatives that exclude one another.
 *
 * @param exactRefs - whether what a `$ref` points to says the same
 */
export function isExact(schema: unknown, exactRefs: boolean): boolean {
  if (!isJsonObject(schema)) return true;
  if (Array.isArray(schema["items"]) || (!exactRefs && "$ref" in schema)) return false;
  if (Object.keys(schema).some((keyword) => inexact.has(keyword))) return false;
  let exact = true;
  mapSubschemas(schema, (subschema) => {
    exact &&= isExact(subschema, exactRefs);
    return subschema;
  });
  return exact;
}
