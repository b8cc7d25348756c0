import { inputFromColumns, type ReadRow } from "../input-columns.js";
import { jsonFromText } from "../json-from-text.js";
import { unreadable } from "../unreadable.js";
import type { Wanted } from "../wanted.js";
import { type Cell, cellsOf, MalformedRecord } from "./cells-of.js";

/** The columns of a CSV file, as its header names them, read as the decision's schema wants them. */
export class CsvColumns {
  readonly #count: number;
  readonly #read: (cells: readonly Cell[]) => string;

  /**
   * @param header - the first record
   * @param wanted - the input that the decision takes
   * @throws DecernError `INVALID_OPTIONS` for a header that names no columns
   */
  constructor(header: string, wanted: Wanted) {
    try {
      const names = cellsOf(header);
      this.#count = names.length;
      this.#read = inputFromColumns(names, wanted, readCell);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw unreadable(`has an invalid header row: ${reason}`);
    }
  }

  /**
   * The input that a record stands for, as JSON text.
   *
   * @throws MalformedRecord for more or fewer cells than the header has, and wrong quotes
   */
  inputOf(record: string): string {
    const cells = cellsOf(record);
    const { length } = cells;
    if (length === this.#count) return this.#read(cells);
    throw new MalformedRecord(
      `it has ${length} ${length === 1 ? "cell" : "cells"} and the header has ${this.#count}`,
    );
  }
}

function readCell(index: number, wanted: Wanted): ReadRow<readonly Cell[]> {
  const fromText = jsonFromText(wanted);
  const takesText = wanted.takes("string");
  const nothing = wanted.forNothing;
  return (cells) => {
    const cell = cells[index];
    return cell === undefined || (cell === "" && !takesText) ? nothing : fromText(cell);
  };
}
