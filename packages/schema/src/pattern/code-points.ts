/** The characters from the first to the second, inclusive. */
export type CodePointRange = readonly [number, number];

/** A set of characters, as sorted ranges that neither overlap nor touch. */
export type CodePoints = readonly CodePointRange[];

export const lastCodePoint = 0x10_ff_ff;

/** Sorts ranges, and merges those that overlap or touch. */
export function toCodePoints(ranges: readonly CodePointRange[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [min, max] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && min <= last[1] + 1) last[1] = Math.max(last[1], max);
    else merged.push([min, max]);
  }
  return merged;
}

/** Every character that is not in the set. */
export function complement(set: CodePoints): CodePoints {
  const rest: CodePointRange[] = [];
  let next = 0;
  for (const [min, max] of set) {
    if (min > next) rest.push([next, min - 1]);
    next = max + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
}

/** Whether two sets have a character in common. */
export function overlap(some: CodePoints, others: CodePoints): boolean {
  let other = 0;
  for (const [min, max] of some) {
    for (let range = others[other]; range !== undefined && range[0] <= max; range = others[other]) {
      if (range[1] >= min) return true;
      other += 1;
    }
  }
  return false;
}
