import type { JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";

/** Keywords that let a value have far more errors than the schema has keywords. */
const branchingKeywords: ReadonlySet<string> = new Set([
  "items",
  "contains",
  "anyOf",
  "oneOf",
  "$ref",
  "propertyNames",
  "patternProperties",
]);

/** Whether a value can have far more errors than the schema has keywords. */
export function isBranching(schema: JsonSchema): boolean {
  const { additionalItems, additionalProperties } = schema;
  if (isJsonObject(additionalItems) || isJsonObject(additionalProperties)) return true;
  if (Object.keys(schema).some((keyword) => branchingKeywords.has(keyword))) return true;
  let found = false;
  mapSubschemas(schema, (subschema) => {
    found ||= isBranching(subschema);
    return subschema;
  });
  return found;
}

/**
 * Whether a schema has a key or text that is also a member of every object, such as `constructor`. `value.constructor`
 * exists even when the caller did not send it, so such a schema may look at own properties only.
 */
export function namesInheritedMember(schema: unknown): boolean {
  if (typeof schema === "string") return Object.hasOwn(Object.prototype, schema);
  if (Array.isArray(schema)) return schema.some(namesInheritedMember);
  if (!isJsonObject(schema)) return false;
  return Object.keys(schema).some((key) => namesInheritedMember(key) || namesInheritedMember(schema[key]));
}
