import { isJsonObject } from "@decern/core/schema";

/**
 * Rewrites references inside data, such as an extension. Tools that resolve a document follow every `$ref`, even in data.
 *
 * @param find - returns the target of a reference in the document
 * @returns the data, or `undefined` if one of its references has no target
 */
export function rewriteReferences(
  data: unknown,
  find: (ref: string) => string | undefined,
): { readonly data: unknown } | undefined {
  if (Array.isArray(data)) {
    const items = data.map((item: unknown) => rewriteReferences(item, find));
    return items.includes(undefined) ? undefined : { data: items.map((item) => item?.data) };
  }
  if (!isJsonObject(data)) return { data };
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(data)) {
    const rewritten =
      key === "$ref" && typeof value === "string" ? found(find(value)) : rewriteReferences(value, find);
    if (rewritten === undefined) return undefined;
    entries.push([key, rewritten.data]);
  }
  return { data: Object.fromEntries(entries) };
}

function found(ref: string | undefined): { readonly data: string } | undefined {
  return ref === undefined ? undefined : { data: ref };
}

/** Whether data contains something that looks like a reference, which tools would follow. */
export function hasReference(data: unknown): boolean {
  return rewriteReferences(data, () => undefined) === undefined;
}
