/** Escapes what a terminal obeys or hides, because callers and tampered files choose the text of records. */
export function printable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

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

/** What follows the name of a user in a URL: up to the last `@`, since a password may hold what should have been escaped. */
const password = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'/?#:@]*):(?!\d{1,5}(?:[\s"'/?#]|$))[^\s"']*@/gi;

/** A password in the query of a URL, as PostgreSQL takes it. */
const parameter = /([?&](?:ssl)?password=)[^\s"'&#]*/gi;

/** Removes passwords from URLs, because messages end up in logs. */
export function withoutPasswords(text: string): string {
  return text.replaceAll(password, "$1:***@").replaceAll(parameter, "$1***");
}

/**
 * The message of an error in one sentence. It can quote a file, whose author must not steer the terminal, and what the
 * user typed, which may be a URL with a password.
 */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return printable(
    withoutPasswords(message)
      // Node lists below a message who required a module that is missing.
      .replace(/\nRequire stack:.*$/s, "")
      .trim()
      // Problems have a line each.
      .replace(/:?\n\s*- /, ": ")
      .replaceAll(/\n\s*- /g, "; ")
      .replaceAll(/\s*\n\s*/g, "; ")
      .replaceAll(":; ", ": "),
  );
}

/** The candidate that a typing mistake most likely meant; `undefined` if none is near. */
export function closest(typed: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const near = candidates
    .map((candidate) => ({ candidate, distance: distance(typed, candidate) }))
    .filter((entry) => entry.distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.candidate;
}

/** What a typing mistake most likely meant, or all that there is. */
export function meant(typed: string, candidates: readonly string[], all = "there are"): string {
  const near = closest(typed, candidates);
  return near === undefined ? `${all} ${candidates.join(", ")}` : `did you mean ${near}?`;
}

/** Letters that must be put in, left out, replaced or swapped with their neighbour (optimal string alignment). */
function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swaps = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = swaps ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Such as `1 record` and `1,200 records`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A whole number with commas, such as 1,234,567. */
export function grouped(number: number): string {
  return Math.round(number).toLocaleString("en-US");
}
