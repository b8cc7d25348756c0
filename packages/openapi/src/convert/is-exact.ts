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
 * Whether a JSON Schema keeps its meaning in the dialect of OpenAPI 3.0. If not, the result allows more values. That is
 * harmless, except inside `not` or `oneOf`.
 *
 * @param exactRefs - whether the targets of references keep their meaning
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
