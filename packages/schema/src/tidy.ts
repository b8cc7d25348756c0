import { isJsonObject, type JsonSchema } from "@decern/core";

/** Says the same in the form that every dialect has. */
export function tidy(schema: JsonSchema): JsonSchema {
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
  if (isJsonObject(patternProperties) && schema["additionalProperties"] === undefined) {
    const [pattern, ...more] = Object.keys(patternProperties);
    // How TypeBox writes a record of any keys; the dot would let a key with a line break through unchecked.
    if (pattern === "^.*$" && more.length === 0) {
      return { ...rest, additionalProperties: patternProperties[pattern] };
    }
  }
  return schema;
}
