import { columnIndex, type FileCell, FileError, type FileRow, type FileSheet } from "./cells.js";
import type { Attributes } from "./xml.js";

/** More cells than any table has; their text would fit into the limit of a file. */
export const mostCells = 2_000_000;

/** What the other parts of a workbook say of its cells. */
interface SheetContext {
  readonly texts: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly is1904: boolean;
}

/** Reads the part of a sheet. */
export class SheetReader {
  cellsLeft: number;
  readonly #context: SheetContext;
  readonly #rows: FileRow[] = [];
  readonly #merged: string[] = [];
  readonly #hiddenColumns = new Set<number>();
  #cells: (FileCell | undefined)[] = [];
  #rowNumber = 0;
  #isHidden = false;
  #column = -1;
  #cell: Attributes = {};
  #value: string | undefined;
  #inline: string | undefined;
  #hasFormula = false;
  #collects: "value" | "inline" | undefined;
  #phonetic = 0;

  constructor(context: SheetContext, cellsLeft: number) {
    this.#context = context;
    this.cellsLeft = cellsLeft;
  }

  get sheet(): Omit<FileSheet, "name"> {
    return { rows: this.#rows, merged: this.#merged, hiddenColumns: this.#hiddenColumns, isDelimited: false };
  }

  open(name: string, attributes: Attributes): void {
    if (name === "c") return this.#openCell(attributes);
    if (name === "v") {
      this.#collects = "value";
      this.#value = "";
    } else if (name === "t" && this.#phonetic === 0) {
      this.#collects = "inline";
      this.#inline ??= "";
    } else if (name === "f") this.#hasFormula = true;
    else if (name === "rPh") this.#phonetic += 1;
    else if (name === "row") {
      const number = Number(attributes["r"] ?? this.#rowNumber + 1);
      if (!Number.isSafeInteger(number) || number <= this.#rowNumber)
        throw new FileError("has rows out of order");
      this.#rowNumber = number;
      this.#isHidden = isTrue(attributes["hidden"]);
      this.#cells = [];
      this.#column = -1;
    } else if (name === "mergeCell") this.#merged.push(attributes["ref"] ?? "");
    else if (name === "col" && isTrue(attributes["hidden"])) this.#hide(attributes);
  }

  text(text: string): void {
    if (this.#collects === "value") this.#value += text;
    else if (this.#collects === "inline") this.#inline += text;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#collects = undefined;
    else if (name === "rPh") this.#phonetic -= 1;
    else if (name === "c") {
      const cell = this.#read();
      if (cell !== undefined) this.#cells[this.#column] = cell;
    } else if (name === "row" && this.#cells.length > 0)
      this.#rows.push({ number: this.#rowNumber, cells: this.#cells, isHidden: this.#isHidden });
  }

  #openCell(attributes: Attributes): void {
    this.cellsLeft -= 1;
    if (this.cellsLeft < 0) throw new FileError(`has more than ${mostCells} cells`);
    const { r: reference } = attributes;
    const column = reference === undefined ? this.#column + 1 : columnIndex(reference);
    if (column === undefined || column <= this.#column) throw new FileError("has cells out of order");
    this.#column = column;
    this.#cell = attributes;
    this.#value = undefined;
    this.#inline = undefined;
    this.#hasFormula = false;
  }

  #hide({ min, max }: Attributes): void {
    const first = Number(min);
    const last = Math.min(Number(max), 16_384);
    for (let column = first; column <= last; column += 1) this.#hiddenColumns.add(column - 1);
  }

  #read(): FileCell | undefined {
    const { t: type = "n", s: style } = this.#cell;
    if (type === "inlineStr") return textCell(unescaped(this.#inline ?? ""));
    const value = this.#value;
    if (value === undefined || (value === "" && type !== "str")) {
      if (!this.#hasFormula) return undefined;
      return {
        kind: "broken",
        message: "has a formula without a value; open the file in a spreadsheet program and save it",
      };
    }
    switch (type) {
      case "s": {
        const text = this.#context.texts[Number(value)];
        if (text === undefined) throw new FileError("is damaged: it lacks a text that a cell refers to");
        return textCell(text);
      }
      case "str":
        return textCell(unescaped(value));
      case "b":
        return isTrue(value);
      case "e":
        return { kind: "broken", message: `has the error ${value}` };
      case "d":
        return { kind: "date", text: value.replace(/T00:00(?::00(?:\.0+)?)?$/, "") };
      default: {
        const number = Number(value);
        if (!Number.isFinite(number)) return { kind: "broken", message: `has "${value}" for a number` };
        if (this.#context.dateStyles.has(Number(style))) return this.#date(number);
        // Spreadsheets show and compare no more digits, but save 0.30000000000000004 for =0.1+0.2.
        return this.#hasFormula ? Number(number.toPrecision(15)) : number;
      }
    }
  }

  #date(serial: number): FileCell {
    // Days since 1970; the calendar from 1900 counts a 29 February that year did not have.
    const days = this.#context.is1904 ? serial - 24_107 : serial - (serial < 60 ? 25_568 : 25_569);
    const date = new Date(Math.round(days * 86_400_000));
    if (Number.isNaN(date.getTime()) || serial < 0)
      return { kind: "broken", message: `has ${serial} for a date` };
    return { kind: "date", text: date.toISOString().replace(/T00:00:00\.000Z$|\.000Z$|Z$/, "") };
  }
}

function textCell(text: string): FileCell | undefined {
  return text.trim() === "" ? undefined : text;
}

/** Characters that XML cannot hold are written as `_x000D_`. */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
