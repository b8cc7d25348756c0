/**
 * About how many characters a piece has. V8 and the allocator give a long text pages of memory of its own, which the system has
 * to clear first: for the reply to a batch that took more time than the evaluations. Node also encodes texts up to 16 KiB
 * without allocating anything.
 */
const pieceLength = 15_000;

/** Text that is made of many small texts and written as few larger ones. */
export class TextPieces {
  #pieces: string[] = [];
  #text = "";
  #cutLength = 0;

  /** How many characters {@link take} would return. */
  get length(): number {
    return this.#cutLength + this.#text.length;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= pieceLength) this.#cut();
  }

  /** Everything that was added since the last call. */
  take(): readonly string[] {
    if (this.#text !== "") this.#cut();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#cutLength = 0;
    return pieces;
  }

  #cut(): void {
    this.#pieces.push(this.#text);
    this.#cutLength += this.#text.length;
    this.#text = "";
  }
}
