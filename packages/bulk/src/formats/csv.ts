import { isUtf8 } from "node:buffer";
import { toJsonSchema } from "@decern/core";
import { markLength, PartCutter, RangeFile } from "./byte-ranges.js";
import { CsvColumns, readRecords } from "./csv-reader.js";
import { RecordScanner } from "./csv-records.js";
import { type InputFormat, type InputScanner, type ScannedInput, unreadable } from "./input-format.js";
import { Wanted } from "./wanted.js";

/** A larger header is most likely a quote that is never closed. */
const maxHeaderBytes = 1024 * 1024;

class CsvScanner implements InputScanner {
  readonly #records = new RecordScanner();
  readonly #cutter: PartCutter;
  #header: string | undefined;
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  #offset = 0;

  constructor(partBytes: number) {
    this.#cutter = new PartCutter(partBytes);
  }

  push(given: Buffer): void {
    const mark = this.#offset === 0 ? markLength(given) : 0;
    const block = given.subarray(mark);
    this.#offset += mark;
    let from = 0;
    this.#records.scan(block, ({ end, line, isBlank }) => {
      const offset = this.#offset + end;
      if (this.#header === undefined) {
        if (isBlank) this.#pieces = [];
        else {
          this.#keep(block.subarray(from, end));
          this.#endHeader(offset);
        }
        from = end;
      } else if (isBlank) this.#cutter.skipTo(offset);
      else this.#cutter.add(line, offset);
    });
    if (this.#header === undefined) this.#keep(block.subarray(from));
    this.#offset += block.length;
  }

  end(): ScannedInput {
    const { line, isBlank } = this.#records.end();
    if (this.#header === undefined) {
      if (isBlank) throw unreadable("is empty; the first row of a CSV file names its columns");
      this.#endHeader(this.#offset);
    } else if (!isBlank) this.#cutter.add(line, this.#offset);
    this.#cutter.end(this.#offset);
    return { parts: this.#cutter.parts, details: { header: this.#header } };
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
    this.#cutter.skipTo(end);
  }
}

/** Files in other dialects would seem to have one column, or only a header. */
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
    const file = await RangeFile.open(path);
    return {
      read: (range, sink) => readRecords(file, columns, maxLine, range, sink),
      close: () => file.close(),
    };
  },
};

function headerOf(details: unknown): string {
  const { header }: { readonly header?: unknown } = Object(details);
  if (typeof header !== "string") throw new TypeError("The details of a CSV file have no header");
  return header;
}
