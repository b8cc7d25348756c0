/** The start of an incomplete line or record from earlier blocks. If it is too long, nothing is kept. */
export class LineRest {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Copies the bytes, because the block is reused. */
  keep(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) this.#pieces = [];
    else if (bytes.length > 0) this.#pieces.push(Buffer.from(bytes));
  }

  /** @returns the whole, or `undefined` for one that is too long */
  endWith(bytes: Buffer): Buffer | undefined {
    const isTooLong = this.#bytes + bytes.length > this.#maxBytes;
    const whole = isTooLong ? undefined : Buffer.concat([...this.#pieces, bytes]);
    this.#pieces = [];
    this.#bytes = 0;
    return whole;
  }
}

const newline = 0x0a;

/** The bytes of a line without its newline; `undefined` for one that is too long. */
export type Line = Buffer | undefined;

/** Splits bytes into lines. It keeps no more than one line. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #rest: LineRest;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#rest = new LineRest(maxBytes);
  }

  /** @returns the lines that end in these bytes */
  push(bytes: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, end);
      if (!this.#rest.isEmpty) lines.push(this.#rest.endWith(line));
      else lines.push(line.length > this.#maxBytes ? undefined : line);
      start = end + 1;
    }
    this.#rest.keep(bytes.subarray(start));
    return lines;
  }

  /** @returns what follows the last newline, if anything does */
  end(): readonly Line[] {
    return this.#rest.isEmpty ? [] : [this.#rest.endWith(Buffer.alloc(0))];
  }
}
