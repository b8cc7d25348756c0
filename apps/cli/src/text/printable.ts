/** A line without what a terminal obeys or hides: callers and tampered files choose what records say. */
export function printable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as JSON in one line. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value) ?? "nothing");
}

/** A value as JSON in several lines, each indented. */
export function jsonBlock(value: unknown): string {
  return (JSON.stringify(value, undefined, 2) ?? "nothing")
    .split("\n")
    .map((line) => `  ${printable(line)}\n`)
    .join("");
}
