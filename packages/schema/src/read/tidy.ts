import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";

/**
 * Rewrites a schema in the form that every dialect has, without changing its meaning.
 *
 * @param isRecord - whether the type is a TypeBox record
 */
export function tidy(schema: JsonSchema, isRecord: boolean): JsonSchema {
  const { $ref, items, additionalItems, patternProperties, ...rest } = schema;
  // Draft-07 and OpenAPI 3.0 ignore keywords beside a reference.
  if ($ref !== undefined && Object.keys(schema).length > 1) {
    const { $ref: _ref, allOf, ...others } = schema;
    return { ...others, allOf: [{ $ref }, ...(Array.isArray(allOf) ? allOf : [])] };
  }
  if (Array.isArray(items) && items.length === 0) {
    return additionalItems === false
      ? { ...rest, maxItems: 0 }
      : { ...rest, items: isJsonObject(additionalItems) ? additionalItems : {} };
  }
  if (isRecord && isJsonObject(patternProperties) && schema["additionalProperties"] === undefined) {
    const { [anyKey]: values, ...otherKeys } = patternProperties;
    if (values !== undefined && Object.keys(otherKeys).length === 0 && !("properties" in schema))
      return { ...rest, additionalProperties: values };
  }
  return schema;
}

/**
 * The pattern that TypeBox writes for a record with any key. Its dot does not match a key with a line break, which would
 * go unchecked. Only a record gets this treatment: a pattern that an author wrote stays a pattern.
 */
const anyKey = "^.*$";
