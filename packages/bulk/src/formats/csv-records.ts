/** `undefined` for an empty cell, an empty string for `""`. */
export type Cell = string | undefined;

/** The message is a clause, such as "it has 2 cells". */
export class MalformedRecord extends Error {
  override readonly name = "MalformedRecord";
}

/**
 * The cells of one record.
 *
 * @param text - without the newline at its end
 * @throws MalformedRecord for quotes that RFC 4180 does not allow
 */
export function cellsOf(text: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      const { cell, end } = quotedCell(text, at);
      cells.push(cell);
      at = end;
    } else {
      const comma = text.indexOf(",", at);
      const end = comma === -1 ? text.length : comma;
      cells.push(end === at ? undefined : text.slice(at, end));
      at = end;
    }
    // A comma at the end has an empty cell after it.
    if (at >= text.length) return cells;
  }
}

/** @returns the cell, and the index of the comma after it or of the end */
function quotedCell(text: string, start: number): { readonly cell: string; readonly end: number } {
  let cell = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new MalformedRecord("a quote opens in it and is never closed");
    cell += text.slice(from, quote);
    const next = text[quote + 1];
    if (next === undefined || next === ",") return { cell, end: quote + 1 };
    if (next !== '"') throw new MalformedRecord("text follows the closing quote of a cell");
    cell += '"';
    from = quote + 2;
  }
}

const quote = 0x22;
const comma = 0x2c;
const newline = 0x0a;
const carriageReturn = 0x0d;

type Place = "cell" | "plain" | "quoted" | "after-quote";

export interface RecordEnd {
  /** Index in the scanned bytes, after the record's newline. */
  readonly end: number;
  readonly line: number;
  /** Whether its line is empty, so that it isn't a record. */
  readonly isBlank: boolean;
}

/**
 * Finds where the records of a CSV file end, as RFC 4180 says: a newline between quotes belongs to its cell. It keeps no bytes, and
 * takes a file in pieces of any size.
 */
export class RecordScanner {
  #place: Place = "cell";
  #line: number;
  #firstLine: number;
  /** Bytes of the record in earlier pieces. */
  #bytes = 0;
  #last = 0;

  /** @param line - that the bytes begin with; the first line of a file is 1 */
  constructor(line = 1) {
    this.#line = line;
    this.#firstLine = line;
  }

  /** @param onRecord - called for every record that ends in these bytes */
  scan(bytes: Buffer, onRecord: (record: RecordEnd) => void): void {
    let start = 0;
    let at = 0;
    // Most files have few quotes, so search for the next one only after the last.
    let quoteAt = -1;
    while (at < bytes.length) {
      if (quoteAt < at) quoteAt = indexOf(bytes, quote, at);
      if (this.#place === "quoted") {
        this.#countLines(bytes, at, quoteAt);
        if (quoteAt < bytes.length) this.#place = "after-quote";
        at = quoteAt + 1;
      } else if (this.#place === "after-quote") {
        const next = bytes[at];
        this.#place = next === quote ? "quoted" : next === comma ? "cell" : "plain";
        if (this.#place !== "plain") at += 1;
      } else {
        const end = indexOf(bytes, newline, at);
        if (end < quoteAt) {
          at = end + 1;
          this.#end(bytes, start, at, onRecord);
          start = at;
        } else {
          // Only a quote at the start of a cell opens one.
          const isStart = quoteAt === at ? this.#place === "cell" : bytes[quoteAt - 1] === comma;
          if (quoteAt < bytes.length) this.#place = isStart ? "quoted" : "plain";
          else this.#place = isStart ? "cell" : "plain";
          at = quoteAt + 1;
        }
      }
    }
    this.#bytes += bytes.length - start;
    this.#last = bytes[bytes.length - 1] ?? this.#last;
  }

  end(): Omit<RecordEnd, "end"> {
    const isBlank = this.#bytes === 0 || (this.#bytes === 1 && this.#last === carriageReturn);
    return { line: this.#firstLine, isBlank };
  }

  #end(bytes: Buffer, start: number, end: number, onRecord: (record: RecordEnd) => void): void {
    const size = this.#bytes + end - start;
    const before = end - 2 < 0 ? this.#last : bytes[end - 2];
    const isBlank = size === 1 || (size === 2 && before === carriageReturn);
    const line = this.#firstLine;
    this.#line += 1;
    this.#firstLine = this.#line;
    this.#bytes = 0;
    this.#place = "cell";
    onRecord({ end, line, isBlank });
  }

  #countLines(bytes: Buffer, from: number, to: number): void {
    for (let at = indexOf(bytes, newline, from); at < to; at = indexOf(bytes, newline, at + 1))
      this.#line += 1;
  }
}

/** The length of the bytes if not found. */
function indexOf(bytes: Buffer, byte: number, from: number): number {
  const found = bytes.indexOf(byte, from);
  return found === -1 ? bytes.length : found;
}
