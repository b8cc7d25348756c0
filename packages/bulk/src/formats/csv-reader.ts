import { isAscii, isUtf8 } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { DecernError } from "@decern/core";
import { LineRest } from "../items/line-splitter.js";
import { type Cell, cellsOf, MalformedRecord, RecordScanner } from "./csv-records.js";
import { areSuspicious, inputFromColumns, type ReadRow } from "./input-columns.js";
import { type InputSink, type PartRange, type PartReader, unreadable } from "./input-format.js";
import { valueFromText, type Wanted } from "./wanted.js";

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

const blockBytes = 256 * 1024;

/** Reads the records of byte ranges. Its memory is that of one block and one record. */
export class CsvReader implements PartReader {
  readonly #file: FileHandle;
  readonly #columns: CsvColumns;
  readonly #maxLine: number;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);

  private constructor(file: FileHandle, columns: CsvColumns, maxLine: number) {
    this.#file = file;
    this.#columns = columns;
    this.#maxLine = maxLine;
  }

  static async open(path: string, columns: CsvColumns, maxLine: number): Promise<CsvReader> {
    return new CsvReader(await open(path, "r"), columns, maxLine);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async read({ start, end, firstLine }: PartRange, sink: InputSink): Promise<void> {
    const records = new RecordScanner(firstLine);
    const rest = new LineRest(this.#maxLine);
    for (let position = start; position < end; ) {
      const { bytesRead } = await this.#file.read(
        this.#block,
        0,
        Math.min(blockBytes, end - position),
        position,
      );
      if (bytesRead === 0) throw new Error("The input has become shorter");
      position += bytesRead;
      this.#readBlock(this.#block.subarray(0, bytesRead), records, rest, sink);
      await sink.flush();
    }
    const last = records.end();
    // Only the last record of a file has no newline.
    if (!last.isBlank) this.#give(last.line, rest.endWith(Buffer.alloc(0)), sink);
  }

  #readBlock(block: Buffer, records: RecordScanner, rest: LineRest, sink: InputSink): void {
    // One text for all records: what is cut out of it shares its memory.
    const text = isAscii(block) ? block.toString("latin1") : undefined;
    let from = 0;
    records.scan(block, ({ end, line, isBlank }) => {
      const start = from;
      from = end;
      if (!rest.isEmpty) {
        const bytes = rest.endWith(block.subarray(start, end));
        if (!isBlank) this.#give(line, bytes, sink);
      } else if (isBlank) return;
      else if (end - start > this.#maxLine) this.#give(line, undefined, sink);
      else this.#give(line, text === undefined ? block.subarray(start, end) : text.slice(start, end), sink);
    });
    rest.keep(block.subarray(from));
  }

  /** @param record - `undefined` for one that is too long */
  #give(line: number, record: Buffer | string | undefined, sink: InputSink): void {
    if (record === undefined) return sink.refuse(line, new DecernError("BODY_TOO_LARGE"));
    if (typeof record !== "string" && !isUtf8(record)) {
      return sink.refuse(line, new DecernError("INVALID_ROW", { detail: "it is not UTF-8 text" }));
    }
    const text = typeof record === "string" ? record : record.toString("utf8");
    let input: unknown;
    try {
      input = this.#columns.inputOf(withoutNewline(text));
    } catch (thrown) {
      if (!(thrown instanceof MalformedRecord)) throw thrown;
      return sink.refuse(line, new DecernError("INVALID_ROW", { detail: thrown.message }));
    }
    sink.value(line, input, this.#columns.isSuspicious);
  }
}

function withoutNewline(text: string): string {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(0, text[end - 1] === "\r" ? end - 1 : end);
}
