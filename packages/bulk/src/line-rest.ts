/** What earlier blocks have of a line or a record that has not ended. It keeps nothing of one that is too long. */
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

  /** Copies: the block is filled again. */
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
