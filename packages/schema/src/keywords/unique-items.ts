/** Whether all items of a list differ as JSON. Takes time proportional to the size of the list, not to its square. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (scalars.has(item)) return false;
      scalars.add(item);
    } else {
      const text = canonicalText(item, 1);
      if (texts.has(text)) return false;
      texts.add(text);
    }
  }
  return true;
}

/**
 * How deep items are compared. In nested lists with `uniqueItems`, each level reads everything below it again.
 */
const maxDepth = 32;

/** JSON text that is equal for equal values, regardless of key order. */
function canonicalText(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (depth > maxDepth) throw new RangeError("Items are nested too deeply to be compared");
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join()}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner, depth + 1)}`);
  return `{${texts.join()}}`;
}
