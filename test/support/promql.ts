/** What PromQL has instead of metrics: operators and modifiers that stand alone. */
const keywords = new Set(["and", "or", "unless", "bool", "offset"]);

/**
 * The names of the metrics that a query reads: the identifiers left once texts, selectors, ranges and lists of labels are removed,
 * and functions with them. Histograms lose the endings of their samples.
 */
export function namesIn(query: string): readonly string[] {
  const left = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, " ");
  return [...left.matchAll(/\b[a-zA-Z_:][a-zA-Z0-9_:]*\b(?!\s*\()/g)].flatMap(([name]) =>
    keywords.has(name) ? [] : [name.replace(/_(?:bucket|sum|count)$/, "")],
  );
}
