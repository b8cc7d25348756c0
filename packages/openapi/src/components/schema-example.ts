import type { JsonSchema } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";

/** How far references and properties are followed, because a recursive type has no end. */
const maxDepth = 8;

/**
 * An example value of a schema: its `example`, its `default`, its only allowed value, or a value built from its
 * properties.
 *
 * @param resolve - returns the target of a `$ref`
 * @returns the value in a list, or `undefined` if a required part has no example
 */
export function schemaExample(
  schema: JsonSchema,
  resolve: (ref: string) => JsonSchema | undefined,
  depth = 0,
): readonly [unknown] | undefined {
  if (depth > maxDepth) return undefined;
  if ("example" in schema) return [schema["example"]];
  if ("default" in schema) return [schema["default"]];
  const { $ref, properties, enum: values } = schema;
  if (Array.isArray(values) && values.length === 1) return [values[0]];
  if (typeof $ref === "string") {
    const target = resolve($ref);
    return target === undefined ? undefined : schemaExample(target, resolve, depth + 1);
  }
  if (!isJsonObject(properties) || ["allOf", "anyOf", "oneOf", "not"].some((keyword) => keyword in schema)) {
    return undefined;
  }
  const required: unknown = schema["required"];
  const entries: [string, unknown][] = [];
  for (const [name, property] of Object.entries(properties)) {
    const example = isJsonObject(property) ? schemaExample(property, resolve, depth + 1) : undefined;
    if (example !== undefined) entries.push([name, example[0]]);
    else if (Array.isArray(required) && required.includes(name)) return undefined;
  }
  return entries.length === 0 ? undefined : [Object.fromEntries(entries)];
}
