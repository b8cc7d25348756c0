import { escapePointer, isJsonObject } from "@decern/core/schema";
import type { CallOutcome, Comparison, MatrixCell, ReplayExample } from "./replay-report.js";

/** The cells of a matrix in which results changed, the most frequent first. */
export function transitions({ matrix }: Comparison): readonly MatrixCell[] {
  return matrix.filter(({ changed }) => changed > 0).toSorted((a, b) => b.changed - a.changed);
}

/** Whether status and rule are the same, so that only the output differs. */
export function isSameOutcome({ from, to }: MatrixCell): boolean {
  return from === to;
}

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

/** Cuts what is longer than `most` characters, between two characters, and says so. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 2));
  return `${text.slice(0, most - (isPair ? 2 : 1))}…`;
}

/** One place of a result that differs. */
interface Change {
  /** JSON Pointer into `data`, or `error`, or `data` as a whole. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** Deeper places are compared as a whole. */
const deepest = 16;

/** Where two results differ, place by place. Where one is an error and the other is not, only the error is of interest. */
export function changes({ before, after }: ReplayExample): readonly Change[] {
  const errors = errorChanges(before, after);
  return errors.length > 0 ? errors : dataChanges(before, after);
}

function dataChanges({ data: before }: CallOutcome, { data: after }: CallOutcome): readonly Change[] {
  return before === after ? [] : valueChanges(before, after, "", 0);
}

function errorChanges({ error: before }: CallOutcome, { error: after }: CallOutcome): readonly Change[] {
  const [was, is] = [before, after].map((error) =>
    error === undefined ? "nothing" : visible(`${error.code}: ${error.message}`),
  );
  return was === undefined || is === undefined || was === is
    ? []
    : [{ place: "error", before: was, after: is }];
}

function valueChanges(before: unknown, after: unknown, pointer: string, depth: number): readonly Change[] {
  if (depth < deepest && isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      valueChanges(own(before, name), own(after, name), `${pointer}/${escapePointer(name)}`, depth + 1),
    );
  }
  if (depth < deepest && Array.isArray(before) && Array.isArray(after)) {
    const longer = before.length < after.length ? after : before;
    return longer.flatMap((_, index): readonly Change[] =>
      valueChanges(before[index], after[index], `${pointer}/${index}`, depth + 1),
    );
  }
  const [was, is] = [inlineJson(before), inlineJson(after)];
  return was === is ? [] : [{ place: pointer === "" ? "data" : visible(pointer), before: was, after: is }];
}

/** Not what the prototype has under the name. */
function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
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
