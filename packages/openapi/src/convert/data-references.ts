import { isJsonObject } from "@decern/core/schema";

/**
 * Rewrites what reads as a reference within data, such as an extension: whoever resolves a document follows every `$ref` in
 * it, wherever it stands.
 *
 * @param find - where a reference points to in the document
 * @returns the data, or nothing when one of its references leads nowhere
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

/** Tells whether data has something that reads as a reference, and would be followed though it is none. */
export function hasReference(data: unknown): boolean {
  return rewriteReferences(data, () => undefined) === undefined;
}
