import { clip, visible } from "../visible.js";

/** What can begin emphasis, a link, HTML, a mention, a formula, an emoji or the next cell of a table, inside a line. */
const special = /[&<>"'\\`*_~[\]|@#:$!^{}=]|(?<=www)\./gi;

/** Makes a text mean nothing but itself inside a line of Markdown: a character reference is never syntax. */
export function plain(text: string): string {
  return visible(text).replaceAll(special, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text from a record. GitHub makes no mentions and no references inside `code`. */
export function code(text: string, most = 160): string {
  return `<code>${plain(clip(text, most))}</code>`;
}

/** A block of code that nothing inside can end. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A table. Cells are Markdown already. */
export function table(
  heads: readonly string[],
  aligns: readonly ("left" | "right")[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(heads),
    line(aligns.map((align) => (align === "right" ? "--:" : "---"))),
    ...rows.map(line),
  ].join("\n");
}

/** A part that opens with a click. `summary` is HTML. */
export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}
