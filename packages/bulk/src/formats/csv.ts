import { isUtf8 } from "node:buffer";
import { toJsonSchema } from "@decern/core";
import { CsvColumns, CsvReader } from "./csv-reader.js";
import { type RecordEnd, RecordScanner } from "./csv-records.js";
import {
  type InputFormat,
  type InputScanner,
  type PartRange,
  type ScannedInput,
  unreadable,
} from "./input-format.js";
import { Wanted } from "./wanted.js";

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
/** A header that is larger is most likely a quote that is never closed. */
const maxHeaderBytes = 1024 * 1024;

/** Cuts a CSV file behind the first record that ends where a part has its size. */
class CsvScanner implements InputScanner {
  readonly #partBytes: number;
  readonly #records = new RecordScanner();
  readonly #parts: PartRange[] = [];
  #header: string | undefined;
  /** Bytes of the header so far. */
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** Bytes of the file before the next block. */
  #offset = 0;
  #start = 0;
  #firstLine = 0;
  /** Records of this part that have ended. */
  #count = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  push(given: Buffer): void {
    const hasMark = this.#offset === 0 && given.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    const block = hasMark ? given.subarray(byteOrderMark.length) : given;
    if (hasMark) this.#offset = byteOrderMark.length;
    let from = 0;
    this.#records.scan(block, (record) => {
      if (this.#header !== undefined) this.#add(record, this.#offset + record.end);
      else if (record.isBlank) {
        from = record.end;
        this.#pieces = [];
      } else {
        this.#keep(block.subarray(from, record.end));
        this.#endHeader(this.#offset + record.end);
      }
    });
    if (this.#header === undefined) this.#keep(block.subarray(from));
    this.#offset += block.length;
  }

  end(): ScannedInput {
    const last = this.#records.end();
    if (this.#header === undefined) {
      if (last.isBlank) throw unreadable("is empty; the first row of a CSV file names its columns");
      this.#endHeader(this.#offset);
    } else if (!last.isBlank) this.#count1(last.line);
    this.#cut(this.#offset);
    return { parts: this.#parts, details: { header: this.#header } };
  }

  #keep(bytes: Buffer): void {
    this.#piecesBytes += bytes.length;
    this.#pieces.push(Buffer.from(bytes));
    if (this.#piecesBytes <= maxHeaderBytes) return;
    refuseOtherDialects(Buffer.concat(this.#pieces).toString("latin1"));
    throw unreadable("has a header row of more than 1 MiB");
  }

  #endHeader(end: number): void {
    const bytes = Buffer.concat(this.#pieces);
    this.#pieces = [];
    if (!isUtf8(bytes) || bytes.includes(0)) throw unreadable("is not UTF-8 text");
    this.#header = bytes.toString("utf8").replace(/\r?\n$/, "");
    refuseOtherDialects(this.#header);
    this.#start = end;
  }

  #add({ line, isBlank }: RecordEnd, end: number): void {
    if (!isBlank) this.#count1(line);
    // A part begins with its first record.
    else if (this.#count === 0) this.#start = end;
    if (end - this.#start >= this.#partBytes) this.#cut(end);
  }

  #count1(line: number): void {
    if (this.#count === 0) this.#firstLine = line;
    this.#count += 1;
  }

  #cut(end: number): void {
    if (this.#count > 0) {
      this.#parts.push({ start: this.#start, end, firstLine: this.#firstLine, records: this.#count });
    }
    this.#start = end;
    this.#count = 0;
  }
}

/** Refuses what other dialects begin with. Read as ours, such a file would have one column, or nothing but its header. */
function refuseOtherDialects(header: string): void {
  const unquoted = header.replaceAll(/"[^"]*"/g, "");
  if (/\r(?!\n|$)/.test(unquoted)) throw unreadable("ends its lines with CR alone; save it with LF or CRLF");
  if (unquoted.includes(",")) return;
  const name = unquoted.includes(";") ? "semicolons" : unquoted.includes("\t") ? "tabs" : undefined;
  if (name !== undefined)
    throw unreadable(
      `has ${name} between its columns; save it with commas, or quote the name of its one column`,
    );
}

/**
 * CSV as RFC 4180 describes it. The first record names the columns; cells are read as the decision's schema wants them. A line that is
 * blank isn't a record.
 */
export const csvFormat: InputFormat = {
  name: "csv",
  lanes: 2,
  scanner: ({ partBytes }) => new CsvScanner(partBytes),
  open: async ({ path, maxLine, details, decision }) => {
    const columns = new CsvColumns(headerOf(details), Wanted.ofInput(toJsonSchema(decision.inputSchema)));
    return await CsvReader.open(path, columns, maxLine);
  },
};

function headerOf(details: unknown): string {
  const { header }: { readonly header?: unknown } = Object(details);
  if (typeof header !== "string") throw new TypeError("The details of a CSV file have no header");
  return header;
}
