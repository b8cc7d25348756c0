import type { JsonSchema } from "@decern/core";
import { isJsonObject, mapSubschemas } from "@decern/core/schema";

/** Rewrites what draft-2020-12 names differently: tuples, examples and the place of definitions. */
export function toDraft202012(schema: JsonSchema): Record<string, unknown> {
  const { $ref, items, additionalItems, definitions, example, ...rest } = mapSubschemas(
    schema,
    toDraft202012,
  );
  return {
    ...rest,
    ...(typeof $ref === "string" ? { $ref: $ref.replace("#/definitions/", "#/$defs/") } : {}),
    ...(Array.isArray(items) ? tuple(items, additionalItems) : items === undefined ? {} : { items }),
    ...(example === undefined || "examples" in rest ? {} : { examples: [example] }),
    ...(isJsonObject(definitions) ? { $defs: definitions } : {}),
  };
}

function tuple(prefixItems: readonly unknown[], rest: unknown): JsonSchema {
  return rest === undefined ? { prefixItems } : { prefixItems, items: rest };
}
