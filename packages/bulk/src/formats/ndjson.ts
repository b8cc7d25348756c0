import { isAscii } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { DecernError } from "@decern/core";
import { utf8Text } from "../items/item-evaluator.js";
import type {
  InputFormat,
  InputScanner,
  InputSink,
  PartRange,
  PartReader,
  ScannedInput,
} from "./input-format.js";

const newline = 0x0a;
const blockBytes = 256 * 1024;

/** Reads the lines of byte ranges. Its memory is that of one block and one line. */
class NdjsonReader implements PartReader {
  readonly #file: FileHandle;
  readonly #maxLine: number;
  /** Room for what is left of a line that has not ended, and a block behind it. */
  readonly #buffer: Buffer;

  private constructor(file: FileHandle, maxLine: number) {
    this.#file = file;
    this.#maxLine = maxLine;
    this.#buffer = Buffer.allocUnsafeSlow(maxLine + 1 + blockBytes);
  }

  static async open(path: string, maxLine: number): Promise<NdjsonReader> {
    return new NdjsonReader(await open(path, "r"), maxLine);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async read({ start, end, firstLine }: PartRange, sink: InputSink): Promise<void> {
    let line = firstLine;
    /** What the buffer has of a line that has not ended. */
    let kept = 0;
    /** Whether that line is too long already, and is not kept. */
    let isTooLong = false;
    for (let position = start; position < end; ) {
      const wanted = Math.min(blockBytes, end - position);
      const { bytesRead } = await this.#file.read(this.#buffer, kept, wanted, position);
      if (bytesRead === 0) throw new Error("The input has become shorter");
      position += bytesRead;
      const filled = kept + bytesRead;
      // A part ends with a line; the last one may lack the line break.
      const last = position === end ? filled : this.#buffer.lastIndexOf(newline, filled - 1) + 1;
      let from = 0;
      if (isTooLong && last > 0) {
        sink.refuse(line++, new DecernError("BODY_TOO_LARGE"));
        const first = this.#buffer.indexOf(newline);
        from = first === -1 || first >= last ? last : first + 1;
        isTooLong = false;
      }
      line = this.#lines(from, last, line, sink);
      kept = filled - last;
      if (isTooLong || kept > this.#maxLine) {
        isTooLong = true;
        kept = 0;
      } else if (last > 0) {
        this.#buffer.copyWithin(0, last, filled);
      }
      await sink.flush();
    }
  }

  /** Passes on the lines in a range of the buffer, the last of which may lack its line break. @returns the next line's number */
  #lines(from: number, end: number, firstLine: number, sink: InputSink): number {
    if (from === end) return firstLine;
    const bytes = this.#buffer.subarray(from, end);
    return isAscii(bytes)
      ? this.#asciiLines(bytes, firstLine, sink)
      : this.#utf8Lines(bytes, firstLine, sink);
  }

  /** One text for all lines: what is cut out of it shares its memory. */
  #asciiLines(bytes: Buffer, firstLine: number, sink: InputSink): number {
    const text = bytes.toString("latin1");
    let line = firstLine;
    for (let from = 0; from < text.length; line += 1) {
      const found = text.indexOf("\n", from);
      const to = found === -1 ? text.length : found;
      if (to - from > this.#maxLine) sink.refuse(line, new DecernError("BODY_TOO_LARGE"));
      else sink.json(line, text.slice(from, to));
      from = to + 1;
    }
    return line;
  }

  #utf8Lines(bytes: Buffer, firstLine: number, sink: InputSink): number {
    let line = firstLine;
    for (let from = 0; from < bytes.length; line += 1) {
      const found = bytes.indexOf(newline, from);
      const to = found === -1 ? bytes.length : found;
      const text = to - from > this.#maxLine ? undefined : utf8Text(bytes.subarray(from, to));
      if (text !== undefined) sink.json(line, text);
      else sink.refuse(line, new DecernError(to - from > this.#maxLine ? "BODY_TOO_LARGE" : "INVALID_JSON"));
      from = to + 1;
    }
    return line;
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Cuts a file behind the first line that ends where a part has its size. */
class NdjsonScanner implements InputScanner {
  readonly #partBytes: number;
  readonly #parts: PartRange[] = [];
  /** Bytes of the file before the next block. */
  #offset = 0;
  #start = 0;
  #firstLine = 1;
  /** Lines of this part that have ended. */
  #lines = 0;
  /** Where the line begins that has not ended. */
  #lineStart = 0;

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  push(block: Buffer): void {
    if (this.#offset === 0 && block.subarray(0, byteOrderMark.length).equals(byteOrderMark)) {
      this.#start = byteOrderMark.length;
      this.#lineStart = byteOrderMark.length;
    }
    for (let at = block.indexOf(newline); at !== -1; at = block.indexOf(newline, at + 1)) {
      this.#lines += 1;
      this.#lineStart = this.#offset + at + 1;
      if (this.#lineStart - this.#start >= this.#partBytes) this.#cut(this.#lineStart);
    }
    this.#offset += block.length;
  }

  end(): ScannedInput {
    if (this.#lineStart < this.#offset) this.#lines += 1;
    if (this.#lines > 0) this.#cut(this.#offset);
    return { parts: this.#parts };
  }

  #cut(end: number): void {
    this.#parts.push({ start: this.#start, end, firstLine: this.#firstLine, records: this.#lines });
    this.#start = end;
    this.#firstLine += this.#lines;
    this.#lines = 0;
  }
}

/** JSON in lines. An empty line is an input too, and no JSON. */
export const ndjsonFormat: InputFormat = {
  name: "ndjson",
  lanes: 2,
  scanner: ({ partBytes }) => new NdjsonScanner(partBytes),
  open: ({ path, maxLine }) => NdjsonReader.open(path, maxLine),
};
