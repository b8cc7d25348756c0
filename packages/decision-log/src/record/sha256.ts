import { hash } from "node:crypto";

/** Bytes of a text to be hashed. Hashing bytes takes half the time of hashing a string. */
let scratch = Buffer.allocUnsafeSlow(65_536);

/** @returns the hash as records have it: `sha256:` and 64 hexadecimal digits */
export function sha256(text: string): string {
  return hashAfter(0, text);
}

/** The hash of so many bytes of `prefix`, from `start`, and then a text. */
export function sha256After(prefix: Buffer, start: number, end: number, text: string): string {
  prefix.copy(scratch, 0, start, end);
  return hashAfter(end - start, text);
}

function hashAfter(prefixLength: number, text: string): string {
  // UTF-8 needs at most three bytes for each UTF-16 code unit.
  const most = prefixLength + text.length * 3;
  if (most > scratch.length) {
    const before = scratch;
    scratch = Buffer.allocUnsafeSlow(most * 2);
    before.copy(scratch, 0, 0, prefixLength);
    try {
      return hashAfter(prefixLength, text);
    } finally {
      // One huge record must not hold memory for ever.
      scratch = before;
    }
  }
  const length = scratch.write(text, prefixLength);
  return `sha256:${hash("sha256", scratch.subarray(0, prefixLength + length), "hex")}`;
}
