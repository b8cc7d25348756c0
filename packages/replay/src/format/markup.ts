import { visible } from "./visible.js";

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
  return new Markup(text.split("\n").map(escaped).join("\n"));
}

function written(piece: Piece): string {
  if (piece === undefined) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "object") return piece.map(written).join("");
  return escaped(String(piece));
}

function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
