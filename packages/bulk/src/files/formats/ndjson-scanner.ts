import type { InputScanner, PartRange, ScannedInput } from "./input-format.js";

const newline = 0x0a;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Cuts a file behind the first line that ends where a part has its size. */
export class NdjsonScanner implements InputScanner {
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
