import { clip, visible } from "./escape.js";

/** A comment on GitHub holds 65,536 characters. The rest is for what a script adds. */
const mostCharacters = 60_000;

/** One part of a document: the higher its rank, the sooner it is left out. */
export interface Part {
  readonly rank: number;
  readonly text: string;
}

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

/** Joins the parts that fit into a comment, in order, the important ones first. Says how many are missing. */
export function fitting(parts: readonly Part[]): string {
  const note = (missing: number): string =>
    `_${missing === 1 ? "One more part does" : `${missing} more parts do`} not fit into a comment._`;
  let left = mostCharacters - note(parts.length).length - 4;
  const chosen = new Set<Part>();
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (part.text.length + 2 > left) continue;
    chosen.add(part);
    left -= part.text.length + 2;
  }
  const missing = parts.length - chosen.size;
  const texts = parts.filter((part) => chosen.has(part)).map(({ text }) => text);
  return `${[...texts, ...(missing === 0 ? [] : [note(missing)])].join("\n\n")}\n`;
}
