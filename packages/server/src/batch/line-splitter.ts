const newline = 0x0a;

/** A line without its end, or `undefined` for one that is too long. */
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
    return end - start > this.#maxBytes ? undefined : bytes.toString("utf8", start, end);
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  #endWith(bytes: Buffer): Line {
    this.#keep(bytes);
    const line = this.#size > this.#maxBytes ? undefined : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}
