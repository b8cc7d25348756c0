import { isJsonObject } from "@decern/core/schema";

/**
 * Makes a part of a document refer to components by their new names.
 *
 * @param renamed - the new reference for each old one
 * @returns a copy
 */
export function renameReferences(part: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => renameReferences(item, renamed));
  if (!isJsonObject(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key === "$ref" && typeof value === "string") return [key, renamed.get(value) ?? value];
      // The references of a discriminator are plain text.
      return key === "mapping" && isJsonObject(value)
        ? [key, mapValues(value, (target) => renameMapped(target, renamed))]
        : [key, renameReferences(value, renamed)];
    }),
  );
}

function renameMapped(target: unknown, renamed: ReadonlyMap<string, string>): unknown {
  return typeof target === "string" ? (renamed.get(target) ?? target) : renameReferences(target, renamed);
}

function mapValues(
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
