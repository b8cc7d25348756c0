import type { Place } from "../document/document.js";
import { columnLetters, type FileCell } from "./cells.js";

/** A problem of a cell, or of something else in a sheet. */
export interface SheetProblem {
  readonly path: string;
  readonly message: string;
  readonly place: Place;
}

/** Reads the cells of a sheet, and notes what is wrong with them, where. */
export class CellReader {
  readonly problems: SheetProblem[] = [];
  /** JSON Pointers of cells that the spreadsheet holds as dates. */
  readonly dates: string[] = [];
  readonly #sheet: string | undefined;
  readonly #file: string;

  /** @param sheet - its name; `undefined` for a file without sheets */
  constructor(sheet: string | undefined, file: string) {
    this.#sheet = sheet;
    this.#file = file;
  }

  place(place: Partial<Place>): Place {
    const sheet = this.#sheet;
    return { file: this.#file, ...(sheet === undefined ? {} : { sheet }), ...place };
  }

  report(
    path: string,
    message: string,
    { row, column }: { readonly row?: number; readonly column?: number },
  ): void {
    const place = this.place({
      ...(row === undefined ? {} : { row }),
      ...(column === undefined ? {} : { column: columnLetters(column) }),
    });
    this.problems.push({ path, message, place });
  }

  /** What an input or output cell holds. */
  value(cell: FileCell | undefined, path: string, row: number, column: number): string | number | boolean {
    if (typeof cell !== "object") return plain(cell);
    if (cell.kind === "broken") {
      this.report(path, cell.message, { row, column });
      return "";
    }
    this.dates.push(path);
    return cell.text;
  }

  /** What a cell holds that is always text: ids, notes, headings. */
  text(cell: FileCell | undefined, path: string, row: number, column: number): string {
    const value = this.value(cell, path, row, column);
    if (typeof value === "string") {
      if (typeof cell === "object" && !/\/(?:from|until)$/.test(path))
        this.report(path, `is the date ${value}; format the cell as text and type it again`, {
          row,
          column,
        });
      return value;
    }
    // A spreadsheet shows 1.10 as 1.1, and does not say so.
    if (typeof value === "boolean" || !Number.isSafeInteger(value))
      this.report(path, `is ${value}, and not a text; format the cell as text and type it again`, {
        row,
        column,
      });
    return String(value);
  }
}

/** What a cell holds that is neither a date nor broken. */
export function plain(cell: Exclude<FileCell, object> | undefined): string | number | boolean {
  if (cell === undefined) return "";
  return typeof cell === "string" ? cell.trim() : cell;
}
