import type { JsonSchema } from "@decern/core";
import { mapSubschemas } from "@decern/core/schema";
import type { DocsField } from "@decern/pages";
import { isRecord } from "../is-record.js";

/** The names of all properties in some schemas, however deep, each once. */
export function fieldNames(schemas: readonly JsonSchema[]): readonly DocsField[] {
  const found = new Map<string, DocsField>();
  const visit = (schema: JsonSchema): JsonSchema => {
    const { properties } = schema;
    for (const [name, property] of isRecord(properties) ? Object.entries(properties) : []) {
      const title = isRecord(property) ? property["title"] : undefined;
      if (found.get(name)?.title !== undefined) continue;
      found.set(name, { name, ...(typeof title === "string" && title !== name ? { title } : {}) });
    }
    mapSubschemas(schema, visit);
    return schema;
  };
  schemas.forEach(visit);
  return [...found.values()];
}
