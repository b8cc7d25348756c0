import type { Place } from "../document/document.js";

/** A cell of a spreadsheet or a CSV file. */
export type FileCell =
  | string
  | number
  | boolean
  /** A cell with the format of a date; the text is ISO 8601, without an offset where it has a time. */
  | { readonly kind: "date"; readonly text: string }
  /** A cell that holds no usable value; the message says what it is. */
  | { readonly kind: "broken"; readonly message: string };

export interface FileRow {
  /** From 1. */
  readonly number: number;
  /** Sparse: blank cells are missing. */
  readonly cells: readonly (FileCell | undefined)[];
  readonly isHidden?: boolean | undefined;
}

/** A sheet of a workbook, or a CSV file. */
export interface FileSheet {
  /** `undefined` for a file that has no sheets. */
  readonly name: string | undefined;
  /** Rows that have a cell. */
  readonly rows: readonly FileRow[];
  readonly isHidden?: boolean | undefined;
  /** Ranges such as `A1:B2`. */
  readonly merged: readonly string[];
  /** Indices of hidden columns, from 0. */
  readonly hiddenColumns: ReadonlySet<number>;
  /** Whether every row has a cell for each column: a missing one is a mistake. */
  readonly isDelimited: boolean;
}

/** A file that cannot be read at all; the message is the end of a sentence that begins with its name. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly place: Pick<Place, "row" | "column">;

  /** @param place - of a mistake in one cell */
  constructor(message: string, options: ErrorOptions & { readonly place?: FileError["place"] } = {}) {
    super(message, options);
    this.place = options.place ?? {};
  }
}

/** `A` for 0, `AA` for 26. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** 0 for `A` and `A7`; `undefined` for text without letters, or with more than a spreadsheet has. */
export function columnIndex(reference: string): number | undefined {
  let index = 0;
  let at = 0;
  for (; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    index = index * 26 + letter;
  }
  return at < 1 || at > 3 || !/^\d*$/.test(reference.slice(at)) ? undefined : index - 1;
}
