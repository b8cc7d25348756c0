import { DecernError } from "@decern/core";
import { LineCutter } from "../items/line-cutter.js";
import type { RangeFile } from "./byte-ranges.js";
import { type Cell, cellsOf, MalformedRecord, RecordScanner } from "./csv-records.js";
import { areSuspicious, inputFromColumns, type ReadRow } from "./input-columns.js";
import { type InputSink, type PartRange, unreadable } from "./input-format.js";
import { valueFromText, type Wanted } from "./wanted.js";

/** The columns of a CSV file, read as the decision's schema expects. */
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

/** Reads the records of a byte range. It holds one block and one record in memory. */
export async function readRecords(
  file: RangeFile,
  columns: CsvColumns,
  maxLine: number,
  range: PartRange,
  sink: InputSink,
): Promise<void> {
  const records = new RecordScanner(range.firstLine);
  const cutter = new LineCutter(maxLine, () => invalidRow("it is not UTF-8 text"));
  const give = (line: number, record: string | DecernError): void => {
    const input = typeof record === "string" ? inputOf(columns, record) : record;
    if (input instanceof DecernError) sink.refuse(line, input);
    else sink.value(line, input, columns.isSuspicious);
  };
  for await (const block of file.blocks(range)) {
    cutter.begin(block);
    records.scan(block, ({ end, line, isBlank }) => {
      if (isBlank) cutter.skip(end);
      else give(line, cutter.cut(end, end));
    });
    cutter.keep();
    await sink.flush();
  }
  // Only the last record of a file has no newline.
  const { line, isBlank } = records.end();
  const last = cutter.end();
  if (!isBlank && last !== undefined) give(line, last);
}

function inputOf(columns: CsvColumns, record: string): unknown {
  try {
    return columns.inputOf(withoutNewline(record));
  } catch (thrown) {
    if (thrown instanceof MalformedRecord) return invalidRow(thrown.message);
    throw thrown;
  }
}

function invalidRow(detail: string): DecernError {
  return new DecernError("INVALID_ROW", { detail });
}

function withoutNewline(text: string): string {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(0, text[end - 1] === "\r" ? end - 1 : end);
}
