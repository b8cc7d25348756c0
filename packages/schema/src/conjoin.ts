import type { JsonSchema } from "@decern/core";

/** Asks a second thing of the same value. */
export function conjoin(schema: JsonSchema, also: JsonSchema): JsonSchema {
  const { allOf } = schema;
  return { ...schema, allOf: [...(Array.isArray(allOf) ? allOf : []), also] };
}
