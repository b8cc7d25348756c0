import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";

/**
 * Says the same in the form that every dialect has.
 *
 * @param isRecord - whether TypeBox made it as a record
 */
export function tidy(schema: JsonSchema, isRecord: boolean): JsonSchema {
  const { $ref, items, additionalItems, patternProperties, ...rest } = schema;
  // What stands beside a reference is ignored by draft-07 and OpenAPI 3.0.
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
 * How TypeBox writes a record of any keys. It means every key, but its dot would let one with a line break through
 * unchecked. Only a record is taken to mean that: in what somebody wrote by hand a pattern is a pattern.
 */
const anyKey = "^.*$";
