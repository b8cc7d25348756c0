/** By what a definition is known within the type around it. */
export function pointerKey(keyword: "$defs" | "definitions", name: string): string {
  return `${keyword}/${name}`;
}

/**
 * Reads a reference such as `#/$defs/a~1b`.
 *
 * @returns the {@link pointerKey}; nothing when it is another kind of reference, or one that AJV and TypeBox read differently
 */
export function keyOfPointer(ref: string): string | undefined {
  const [, keyword, token] = /^#\/(\$defs|definitions)\/([^#/]*)$/.exec(ref) ?? [];
  if (token === undefined || (keyword !== "$defs" && keyword !== "definitions")) return undefined;
  // To AJV an encoded slash is part of a name, to TypeBox it ends one.
  if (/%2f/i.test(token)) return undefined;
  try {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    return unsafeNames.has(name) ? undefined : pointerKey(keyword, name);
  } catch {
    return undefined;
  }
}

/** Names that TypeBox follows to nothing. */
const unsafeNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
