const encoder = new TextEncoder();

/**
 * A place from 0 (included) to 1 (excluded) for a key: the same for ever, evenly spread, and independent of the places that
 * other salts give it. Raising a limit from 0.1 to 0.2 keeps everybody who was below 0.1.
 *
 * @param key - whom a roll-out treats alike, such as a customer's id
 * @param salt - names the roll-out, so that not the same keys go first each time
 *
 * @example
 * ```ts
 * versions: {
 *   "loan-approval": {
 *     default: "1.2.0",
 *     select: ({ caller }) => (stableBucket(caller ?? "", "loan-approval-2") < 0.1 ? "2.0.0" : undefined),
 *   },
 * }
 * ```
 */
export function stableBucket(key: string, salt: string): number {
  // With the length, no two pairs of salt and key make the same text. MurmurHash3, 32 bits.
  const bytes = encoder.encode(`${salt.length}:${salt}${key}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = 0;
  let offset = 0;
  for (; offset + 4 <= bytes.length; offset += 4) {
    hash ^= scramble(view.getUint32(offset, true));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  let rest = 0;
  for (let index = bytes.length - 1; index >= offset; index -= 1) rest = (rest << 8) | view.getUint8(index);
  hash ^= scramble(rest);
  return finish(hash ^ bytes.length) / 0x1_0000_0000;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
