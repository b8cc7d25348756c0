import { isJsonObject } from "@decern/core/schema";

/** Every reference in a part of a document. Tools that resolve a document follow each `$ref`, even in data. */
export function referencesIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === "$ref" && typeof value === "string" ? [value] : referencesIn(value),
  );
}

/**
 * Copies a part of a document with other references.
 *
 * @param change - returns the new reference, or `undefined` to keep it
 * @param inMappings - whether the mappings of discriminators change too, where references are plain text
 */
export function mapReferences(
  part: unknown,
  change: (ref: string) => string | undefined,
  inMappings = false,
): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => mapReferences(item, change, inMappings));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "$ref" && typeof value === "string") return [key, change(value) ?? value];
      if (key !== "mapping" || !inMappings || !isJsonObject(value))
        return [key, mapReferences(value, change, inMappings)];
      const targets = Object.entries(value).map(([name, target]) => [
        name,
        typeof target === "string" ? (change(target) ?? target) : mapReferences(target, change, true),
      ]);
      return [key, Object.fromEntries(targets)];
    }),
  );
}
