import { LineRest } from "../line-rest.js";

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
