import { DecernError } from "@decern/core";
import { LineCutter } from "../items/line-cutter.js";
import { RangeFile } from "./byte-ranges.js";
import { type Cell, cellsOf, MalformedRecord, RecordScanner } from "./csv-records.js";
import { areSuspicious, inputFromColumns, type ReadRow } from "./input-columns.js";
import { type InputSink, type PartRange, type PartReader, unreadable } from "./input-format.js";
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

/** Holds one block and one record in memory. */
export class CsvReader implements PartReader {
  readonly #file: RangeFile;
  readonly #columns: CsvColumns;
  readonly #maxLine: number;

  private constructor(file: RangeFile, columns: CsvColumns, maxLine: number) {
    this.#file = file;
    this.#columns = columns;
    this.#maxLine = maxLine;
  }

  static async open(path: string, columns: CsvColumns, maxLine: number): Promise<CsvReader> {
    return new CsvReader(await RangeFile.open(path), columns, maxLine);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async read(range: PartRange, sink: InputSink): Promise<void> {
    const records = new RecordScanner(range.firstLine);
    const cutter = new LineCutter(this.#maxLine, () => invalidRow("it is not UTF-8 text"));
    for await (const block of this.#file.blocks(range)) {
      cutter.begin(block);
      records.scan(block, ({ end, line, isBlank }) => {
        if (isBlank) cutter.skip(end);
        else this.#give(line, cutter.cut(end, end), sink);
      });
      cutter.keep();
      await sink.flush();
    }
    // Only the last record of a file has no newline.
    const { line, isBlank } = records.end();
    const last = cutter.end();
    if (!isBlank && last !== undefined) this.#give(line, last, sink);
  }

  #give(line: number, record: string | DecernError, sink: InputSink): void {
    if (typeof record !== "string") return sink.refuse(line, record);
    let input: unknown;
    try {
      input = this.#columns.inputOf(withoutNewline(record));
    } catch (thrown) {
      if (!(thrown instanceof MalformedRecord)) throw thrown;
      return sink.refuse(line, invalidRow(thrown.message));
    }
    sink.value(line, input, this.#columns.isSuspicious);
  }
}

function invalidRow(detail: string): DecernError {
  return new DecernError("INVALID_ROW", { detail });
}

function withoutNewline(text: string): string {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(0, text[end - 1] === "\r" ? end - 1 : end);
}
