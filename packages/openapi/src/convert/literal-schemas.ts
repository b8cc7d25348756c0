import { isJsonObject } from "@decern/core/schema";
import type { SchemaObject } from "../document/document.js";
import { nullSchema } from "./null-branch.js";

/**
 * The schemas of values other than `null`: one for each type of value, and one for each object. An object is described by its
 * properties, because generators cannot write an `enum` of objects.
 *
 * @param types - leaves out values of other types
 */
export function literalSchemas(
  values: readonly unknown[],
  types: readonly string[] | undefined,
): readonly SchemaObject[] {
  const scalars = new Map<string, unknown[]>();
  const objects = new Map<string, SchemaObject>();
  for (const value of values) {
    const type = value === null ? undefined : typeOf(value, types);
    if (type === undefined) continue;
    if (isJsonObject(value)) {
      objects.set(JSON.stringify(value), objectLiteral(value));
      continue;
    }
    const list = scalars.get(type) ?? [];
    if (!list.includes(value)) list.push(value);
    scalars.set(type, list);
  }
  const lists = [...scalars].map(([type, list]) => ({
    type,
    // OpenAPI 3.0 requires `items` on every array.
    ...(type === "array" ? { items: {} } : {}),
    enum: list,
  }));
  return [...lists, ...objects.values()];
}

/** Allows exactly this object. */
function objectLiteral(value: Readonly<Record<string, unknown>>): SchemaObject {
  const names = Object.keys(value);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, literalSchema(value[name])])),
    ...(names.length > 0 ? { required: names } : {}),
    additionalProperties: false,
  };
}

function literalSchema(value: unknown): SchemaObject {
  return literalSchemas([value], undefined)[0] ?? nullSchema;
}

/** The type of a value, if it is one of the allowed types. */
function typeOf(value: unknown, types: readonly string[] | undefined): string | undefined {
  const type = Array.isArray(value) ? "array" : typeof value;
  if (types === undefined || types.includes(type)) return type;
  return type === "number" && types.includes("integer") && Number.isInteger(value) ? "integer" : undefined;
}
