import type { ColumnType } from "./condition.js";
import {
  CellError,
  checkedReference,
  type Reference,
  type References,
  referencePattern,
} from "./literals.js";

/** Reads the text of a cell from left to right. */
export class Scanner {
  readonly text: string;
  at = 0;
  readonly #references: References;

  constructor(text: string, references: References) {
    this.text = text;
    this.#references = references;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** @param pattern - sticky */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at = pattern.lastIndex;
    return match;
  }

  skipBlanks(): void {
    this.take(/\s+/y);
  }

  /** @throws CellError for a reference to nothing, or to a value of another type */
  takeReference(wanted: ColumnType): Reference | undefined {
    const match = this.take(referencePattern);
    return match && checkedReference(match, wanted, this.#references);
  }

  /** @param what - the text should be */
  unexpected(what: string): CellError {
    const rest = this.text.slice(this.at, this.at + 20);
    return new CellError(
      rest === ""
        ? `"${this.text}" is not complete`
        : `"${this.text}" is not ${what}: "${rest}" is unexpected`,
    );
  }
}
