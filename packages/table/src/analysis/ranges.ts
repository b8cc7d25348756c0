import type { Ranges } from "../engine/axis.js";

/** Ranges of classes as ranges of places. */
export function placed(ranges: Ranges, classes: readonly number[]): Ranges {
  const places: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const from = firstNotBelow(classes, ranges[at] ?? 0);
    const to = firstNotBelow(classes, (ranges[at + 1] ?? 0) + 1) - 1;
    if (from > to) continue;
    if (places.length > 0 && places[places.length - 1] === from - 1) places[places.length - 1] = to;
    else places.push(from, to);
  }
  return places;
}

function firstNotBelow(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What two lists of ranges have in common. */
export function common(one: Ranges, other: Ranges): Ranges {
  const found: number[] = [];
  let left = 0;
  let right = 0;
  while (left < one.length && right < other.length) {
    const from = Math.max(one[left] ?? 0, other[right] ?? 0);
    const to = Math.min(one[left + 1] ?? 0, other[right + 1] ?? 0);
    if (from <= to) found.push(from, to);
    if ((one[left + 1] ?? 0) < (other[right + 1] ?? 0)) left += 2;
    else right += 2;
  }
  return found;
}

/** What the first list of ranges has beyond the second. */
export function minus(one: Ranges, other: Ranges): Ranges {
  const found: number[] = [];
  let right = 0;
  for (let left = 0; left < one.length; left += 2) {
    let from = one[left] ?? 0;
    const to = one[left + 1] ?? 0;
    while (right < other.length && (other[right + 1] ?? 0) < from) right += 2;
    for (let at = right; at < other.length && (other[at] ?? 0) <= to; at += 2) {
      if (from < (other[at] ?? 0)) found.push(from, (other[at] ?? 0) - 1);
      from = (other[at + 1] ?? 0) + 1;
    }
    if (from <= to) found.push(from, to);
  }
  return found;
}

/** Whether two lists of ranges have anything in common. */
export function meet(one: Ranges, other: Ranges): boolean {
  if (one.length === 2 && other.length === 2)
    return (one[0] ?? 0) <= (other[1] ?? 0) && (other[0] ?? 0) <= (one[1] ?? 0);
  return common(one, other).length > 0;
}

export function countOf(ranges: Ranges): number {
  let count = 0;
  for (let at = 0; at < ranges.length; at += 2) count += (ranges[at + 1] ?? 0) - (ranges[at] ?? 0) + 1;
  return count;
}

/** Whether the second list of ranges is within the first. */
export function contains(one: Ranges, other: Ranges): boolean {
  return countOf(common(one, other)) === countOf(other);
}

/** Ranges of places, without those that touch. */
export function united(list: readonly Ranges[]): Ranges {
  const pairs = list.flatMap((ranges) =>
    Array.from(
      { length: ranges.length / 2 },
      (_pair, at) => [ranges[2 * at] ?? 0, ranges[2 * at + 1] ?? 0] as const,
    ),
  );
  const merged: number[] = [];
  for (const [from, to] of pairs.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last + 1) merged[merged.length - 1] = Math.max(last, to);
    else merged.push(from, to);
  }
  return merged;
}
