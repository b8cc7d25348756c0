import { areSuspicious, inputFromColumns, type ReadRow } from "../input-columns.js";
import { unreadable } from "../unreadable.js";
import { valueFromText } from "../value-from-text.js";
import type { Wanted } from "../wanted.js";
import { type Cell, cellsOf, MalformedRecord } from "./cells-of.js";

/** The columns of a CSV file, as its header names them, read as the decision's schema wants them. */
export class CsvColumns {
  readonly #count: number;
  readonly #read: ReadRow<readonly Cell[]>;
  /** Whether an input may have a key that reaches into a prototype. */
  readonly isSuspicious: boolean;

  /**
   * @param header - the first record
   * @param wanted - the input that the decision takes
   * @throws DecernError `INVALID_OPTIONS` for a header that names no columns
   */
  constructor(header: string, wanted: Wanted) {
    try {
      const names = cellsOf(header);
      this.#count = names.length;
      let hasJson = false;
      this.#read = inputFromColumns(names, wanted, (index, column) => {
        hasJson ||= column.takes("array") || column.takes("object") || column.literals.length > 0;
        return readCell(index, column);
      });
      this.isSuspicious = hasJson || areSuspicious(names);
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw unreadable(`has an invalid header row: ${reason}`);
    }
  }

  /**
   * The input that a record stands for.
   *
   * @throws MalformedRecord for more or fewer cells than the header has, and wrong quotes
   */
  inputOf(record: string): unknown {
    const cells = cellsOf(record);
    const { length } = cells;
    if (length === this.#count) return this.#read(cells);
    throw new MalformedRecord(
      `it has ${length} ${length === 1 ? "cell" : "cells"} and the header has ${this.#count}`,
    );
  }
}

function readCell(index: number, wanted: Wanted): ReadRow<readonly Cell[]> {
  const fromText = valueFromText(wanted);
  const takesText = wanted.takes("string");
  const nothing = wanted.forNothing;
  return (cells) => {
    const cell = cells[index];
    return cell === undefined || (cell === "" && !takesText) ? nothing : fromText(cell);
  };
}
