/** Characters from `min` to `max`, both included. */
export interface CharacterRange {
  readonly min: number;
  readonly max: number;
}

/**
 * Sets of characters as numbers, a bit for each stretch of characters that no set tells apart, so that whether two or
 * three of them share a character is one operation.
 */
export function toBitSets(sets: readonly (readonly CharacterRange[])[]): readonly bigint[] {
  const bounds = [...new Set(sets.flat().flatMap(({ min, max }) => [min, max + 1]))].sort((a, b) => a - b);
  const bit = new Map(bounds.map((bound, index) => [bound, index]));
  return sets.map((ranges) => {
    let bits = 0n;
    for (const { min, max } of ranges) {
      const [from, to] = [bit.get(min) ?? 0, bit.get(max + 1) ?? 0];
      bits |= (1n << BigInt(to)) - (1n << BigInt(from));
    }
    return bits;
  });
}
