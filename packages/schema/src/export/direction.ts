import type { JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";

/**
 * Copies a schema with the `required` of one direction. A caller may omit a property that has a default; after validation
 * the property is always present.
 */
export function inDirection(schema: JsonSchema, direction: "input" | "output"): JsonSchema {
  const copy = mapSubschemas(schema, (sub) => inDirection(sub, direction));
  const properties = copy["properties"];
  if (!isJsonObject(properties)) return copy;
  const filled = Object.keys(properties).filter((name) => hasDefault(properties[name]));
  if (filled.length === 0) return copy;
  const required: readonly unknown[] = Array.isArray(copy["required"]) ? copy["required"] : [];
  const others = required.filter((name) => !filled.some((key) => key === name));
  return { ...copy, required: direction === "input" ? others : [...others, ...filled] };
}

function hasDefault(property: unknown): boolean {
  return isJsonObject(property) && "default" in property;
}
