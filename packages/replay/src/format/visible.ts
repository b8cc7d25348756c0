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
