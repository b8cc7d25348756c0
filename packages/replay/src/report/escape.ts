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
