/** A regular expression of XPath, as a tree. */
export type Pattern =
  | { readonly kind: "set"; readonly has: CharacterTest }
  | { readonly kind: "sequence"; readonly parts: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  | {
      readonly kind: "repeat";
      readonly of: Pattern;
      readonly min: number;
      readonly max: number;
      readonly isGreedy: boolean;
    }
  | { readonly kind: "group"; readonly index: number; readonly of: Pattern }
  | { readonly kind: "backReference"; readonly index: number }
  | { readonly kind: "start" | "end" };

/** Whether a set has a code point. */
export type CharacterTest = (point: number) => boolean;

/** The text is not a regular expression of XPath, or its flags are none. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

export interface Flags {
  /** `.` matches ends of lines. */
  readonly isDotAll: boolean;
  /** `^` and `$` match at ends of lines. */
  readonly isMultiline: boolean;
  readonly ignoresCase: boolean;
  readonly ignoresBlanks: boolean;
  /** All characters stand for themselves. */
  readonly isLiteral: boolean;
}

/** @throws PatternError */
export function readFlags(text: string): Flags {
  if (/[^smixq]/.test(text)) throw new PatternError(`unknown flags ${JSON.stringify(text)}`);
  return {
    isDotAll: text.includes("s"),
    isMultiline: text.includes("m"),
    ignoresCase: text.includes("i"),
    ignoresBlanks: text.includes("x"),
    isLiteral: text.includes("q"),
  };
}
