import { isUtf8 } from "node:buffer";

const newline = 0x0a;

/** What a decoder puts in the place of bytes that are not UTF-8. */
const replacement = "\ufffd";

/** A line without its end, or `undefined` for one that is too long. What is not UTF-8 is empty: it is no JSON either. */
export type Line = string | undefined;

/** Splits bytes into lines of UTF-8. It keeps no more than one line, and of a line that is too long nothing. */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @returns the lines that end in these bytes */
  push(bytes: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push(
        this.#size === 0 ? this.#text(bytes, start, end) : this.#endWith(bytes.subarray(start, end)),
      );
      start = end + 1;
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
    return lines;
  }

  /** @returns what follows the last newline, if anything does */
  end(): readonly Line[] {
    return this.#size === 0 ? [] : [this.#endWith(Buffer.alloc(0))];
  }

  #text(bytes: Buffer, start: number, end: number): Line {
    return end - start > this.#maxBytes ? undefined : textOf(bytes, start, end);
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) {
      this.#pieces = [];
      return;
    }
    // Joined to those that are no longer: a byte that arrives alone takes two hundred, as long as it stays alone.
    let piece = bytes;
    for (let last = this.#pieces.at(-1); last !== undefined && last.length <= piece.length; ) {
      piece = Buffer.concat([last, piece]);
      this.#pieces.pop();
      last = this.#pieces.at(-1);
    }
    this.#pieces.push(piece);
  }

  #endWith(bytes: Buffer): Line {
    this.#keep(bytes);
    const line = this.#size > this.#maxBytes ? undefined : textOf(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}

function textOf(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString("utf8", start, end);
  // Its input must not be evaluated with other text than was sent. To look at each line's bytes first would cost more.
  return text.includes(replacement) && !isUtf8(bytes.subarray(start, end)) ? "" : text;
}
