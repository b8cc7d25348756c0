/** What code in the playground can import. */
export const offeredModules = [
  "@decern/core",
  "@decern/core/options",
  "@decern/core/tools",
  "@decern/core/schema",
  "@decern/schema",
  "@decern/table",
  "typebox",
  "zod",
] as const;

export type OfferedModule = (typeof offeredModules)[number];

export function isOffered(specifier: string): specifier is OfferedModule {
  return offeredModules.some((one) => one === specifier);
}

/** The modules that a source imports, types included, in order. Text in comments and strings may be taken for an import. */
export function importsOf(source: string): readonly string[] {
  const found = source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'\n]+)\1/g);
  return [...new Set([...found].map(([, , specifier = ""]) => specifier))];
}
