import { hash } from "node:crypto";

const firstSize = 65_536;
const largestKept = 4 * 1024 * 1024;

/** Texts as UTF-8, one after another. A text is encoded once; its bytes are then hashed and copied. */
export class ByteWriter {
  bytes = Buffer.allocUnsafeSlow(firstSize);
  length = 0;

  /** @returns how many bytes were written */
  text(text: string): number {
    // UTF-8 needs at most three bytes for each UTF-16 code unit.
    this.#reserve(text.length * 3);
    const written = this.bytes.write(text, this.length);
    this.length += written;
    return written;
  }

  /** Writes one character of ASCII. */
  character(code: number): void {
    this.#reserve(1);
    this.bytes[this.length] = code;
    this.length += 1;
  }

  /** Copies bytes of another one. */
  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    from.copy(this.bytes, this.length, start, end);
    this.length += end - start;
  }

  /** The hash of everything that was written, as records have it. */
  sha256(): string {
    return `sha256:${hash("sha256", this.bytes.subarray(0, this.length), "hex")}`;
  }

  /** Forgets what was written. One huge text does not hold memory for ever. */
  clear(): void {
    if (this.bytes.length > largestKept) this.bytes = Buffer.allocUnsafeSlow(firstSize);
    this.length = 0;
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
