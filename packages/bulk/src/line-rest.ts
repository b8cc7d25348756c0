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
