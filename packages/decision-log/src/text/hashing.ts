import { hash } from "node:crypto";

/** Hashing bytes takes half the time of hashing a string. */
const usual = Buffer.allocUnsafeSlow(65_536);

/** @returns the hash as records have it: `sha256:` and 64 hexadecimal digits */
export function sha256(...parts: readonly string[]): string {
  return hashParts(usual, 0, parts);
}

export function sha256After(prefix: Buffer, start: number, end: number, parts: readonly string[]): string {
  prefix.copy(usual, 0, start, end);
  return hashParts(usual, end - start, parts);
}

/**
 * Writes each part by itself: a text that was put together from many is joined when it is first read, and stays so for the next
 * reader.
 */
function hashParts(buffer: Buffer, prefixLength: number, parts: readonly string[]): string {
  let length = prefixLength;
  for (const part of parts) {
    // UTF-8 needs at most three bytes for each UTF-16 code unit.
    if (length + part.length * 3 > buffer.length) return hashLarge(buffer, prefixLength, parts);
    length += buffer.write(part, length);
  }
  return `sha256:${hash("sha256", buffer.subarray(0, length), "hex")}`;
}

/** With its own buffer, so that one huge record does not hold memory forever. */
function hashLarge(buffer: Buffer, prefixLength: number, parts: readonly string[]): string {
  const most = parts.reduce((sum, part) => sum + part.length * 3, prefixLength);
  const large = Buffer.allocUnsafeSlow(most);
  buffer.copy(large, 0, 0, prefixLength);
  return hashParts(large, prefixLength, parts);
}

const firstSize = 65_536;
const largestKept = 8 * 1024 * 1024;
const kept = new Uint8Array(64);

/** Texts as UTF-8, one after another. A text is encoded once, and hashed where it is. */
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

  /** Copies what was written from `start` to `end` to the end. */
  repeat(start: number, end: number): void {
    this.#reserve(end - start);
    this.bytes.copyWithin(this.length, start, end);
    this.length += end - start;
  }

  overwrite(text: string, at: number): void {
    this.bytes.write(text, at, "latin1");
  }

  sha256(start: number): string {
    return `sha256:${hash("sha256", this.bytes.subarray(start, this.length), "hex")}`;
  }

  /**
   * The same with a prefix. It stands for a moment where other bytes are, so that nothing has to be copied.
   *
   * @param start - at least `length`
   */
  sha256Behind(prefix: Buffer, at: number, length: number, start: number): string {
    const { bytes } = this;
    const from = start - length;
    for (let index = 0; index < length; index += 1) {
      kept[index] = bytes[from + index] ?? 0;
      bytes[from + index] = prefix[at + index] ?? 0;
    }
    const hashed = this.sha256(from);
    for (let index = 0; index < length; index += 1) bytes[from + index] = kept[index] ?? 0;
    return hashed;
  }

  /** Drops the content. One huge text does not hold memory forever. */
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
