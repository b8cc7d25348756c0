/** The key of a definition within the type that contains it. */
export function pointerKey(keyword: "$defs" | "definitions", name: string): string {
  return `${keyword}/${name}`;
}

/**
 * Reads a reference such as `#/$defs/a~1b`.
 *
 * @returns the {@link pointerKey}; `undefined` for another kind of reference, and for one that AJV and TypeBox read differently
 */
export function keyOfPointer(ref: string): string | undefined {
  const [, keyword, token] = /^#\/(\$defs|definitions)\/([^#/]*)$/.exec(ref) ?? [];
  if (token === undefined || (keyword !== "$defs" && keyword !== "definitions")) return undefined;
  // AJV reads an encoded slash as part of a name, TypeBox as the end of one.
  if (/%2f/i.test(token)) return undefined;
  try {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    return unsafeNames.has(name) ? undefined : pointerKey(keyword, name);
  } catch {
    return undefined;
  }
}

/** Names that TypeBox never resolves. */
const unsafeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
