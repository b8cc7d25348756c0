/**
 * What a reader cannot see, or what reorders what he sees: control characters (a terminal would obey them), marks of direction,
 * invisible characters, line separators, halves of a surrogate pair and what no XML may contain.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Shows what would be invisible, or would be obeyed, as JSON's escapes such as `\u001b`. */
export function visible(text: string): string {
  return text.replaceAll(unseen, escaped);
}

function escaped(characters: string): string {
  return characters
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** JSON in one line, with spaces between its members. `undefined` is `nothing`. */
export function inlineJson(value: unknown): string {
  return indentedJson(value, 1).replaceAll(/\n */g, " ");
}

/** JSON in many lines. It is still JSON of the same value. */
export function indentedJson(value: unknown, indent = 2): string {
  const text: string | undefined = JSON.stringify(value, null, indent);
  return (text ?? "nothing").split("\n").map(visible).join("\n");
}

/** Cuts a longer text to `most` characters, never within one, and ends it with `…`. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 2));
  return `${text.slice(0, most - (isPair ? 2 : 1))}…`;
}

/** Markup that is safe already. Only {@link markup} makes it, so data cannot pass as such. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can stand in a template. `undefined` stands for nothing. */
export type Piece = string | number | Markup | undefined | readonly Piece[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** HTML or XML in which every text is escaped, between tags and in quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(parts.map((part, index) => part + written(pieces[index])).join(""));
}

/** Lines of text, which keep their line breaks. */
export function lines(text: string): Markup {
  return new Markup(text.split("\n").map(escapedMarkup).join("\n"));
}

function written(piece: Piece): string {
  if (piece === undefined) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "object") return piece.map(written).join("");
  return escapedMarkup(String(piece));
}

function escapedMarkup(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

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
