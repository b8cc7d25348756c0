/** Whether no two items of a list are equal as JSON, in time that grows with its size and not with its square. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  const scalars = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (scalars.has(item)) return false;
      scalars.add(item);
    } else {
      const text = canonicalText(item);
      if (texts.has(text)) return false;
      texts.add(text);
    }
  }
  return true;
}

/** JSON text that is the same for equal values, whatever the order of their keys. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner)}`).join()}}`;
}
