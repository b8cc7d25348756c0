import { hash } from "node:crypto";

/** Bytes to be hashed, which takes half the time of hashing a string. */
const usual = Buffer.allocUnsafeSlow(65_536);

/** @returns the hash as records have it: `sha256:` and 64 hexadecimal digits */
export function sha256(...parts: readonly string[]): string {
  return hashParts(usual, 0, parts);
}

/** The hash of the bytes of `prefix` from `start` to `end`, and then of texts. */
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

/** With a buffer of its own, which one huge record does not hold for ever. */
function hashLarge(buffer: Buffer, prefixLength: number, parts: readonly string[]): string {
  const most = parts.reduce((sum, part) => sum + part.length * 3, prefixLength);
  const large = Buffer.allocUnsafeSlow(most);
  buffer.copy(large, 0, 0, prefixLength);
  return hashParts(large, prefixLength, parts);
}
