import type { Axis, Ranges } from "./axis.js";

/** The rows that may meet a column's value: at least those that do. */
export interface Bucket {
  readonly count: number;
  /** In ascending order, where they are few. */
  readonly rows: Uint32Array | undefined;
  /** Where they are many. */
  readonly bits: BitSet | undefined;
}

export interface BitSet {
  /** A bit per row. */
  readonly bits: Uint32Array;
  /** A bit per word of them, which is set if the word isn't zero: neighbouring rows often have a cell in common. */
  readonly summary: Uint32Array;
}

function bitSet(bits: Uint32Array): BitSet {
  const summary = new Uint32Array((bits.length + 31) >>> 5);
  for (const [word, value] of bits.entries())
    if (value !== 0) summary[word >>> 5] = (summary[word >>> 5] ?? 0) | (1 << (word & 31));
  return { bits, summary };
}

/** A set of so many rows. */
export function allRows(size: number): BitSet {
  const bits = new Uint32Array((size + 31) >>> 5).fill(0xffff_ffff);
  if ((size & 31) !== 0) bits[size >>> 5] = 2 ** (size & 31) - 1;
  return bitSet(bits);
}

/** Buckets of neighbouring classes. */
export interface Buckets {
  readonly list: readonly Bucket[];
  /** The place of the bucket, per class. */
  readonly bucketOf: Uint32Array;
}

/** Classes share a bucket while it has at most this many rows more than its first class had, besides a share of them. */
const slack = 8;

/**
 * Gathers neighbouring classes that nearly the same rows meet. The rows in all buckets together are at most about six per range,
 * whatever the number of classes: a new bucket begins only after a share of a bucket's rows have begun or ended, and each range
 * begins and ends once.
 *
 * @param ranges - per row
 */
export function bucketsOf(axis: Axis, ranges: readonly Ranges[]): Buckets {
  const begin = groupedBy(axis.size + 1, ranges, 0);
  const end = groupedBy(axis.size + 1, ranges, 1);
  const bucketOf = new Uint32Array(axis.size);
  const list: Bucket[] = [];
  const words = (ranges.length + 31) >>> 5;
  const active = new Uint32Array(words);
  let activeCount = 0;
  let gathered = new Uint32Array(words);
  let count = 0;
  let first = 0;
  for (let place = 0; place < axis.size; place += 1) {
    for (const row of begin.of(place)) activeCount += flip(active, row);
    const begun = begin.of(place);
    const isFull = count + begun.length > first * 1.25 + slack || activeCount + slack < count / 2;
    if (place === 0 || isFull) {
      if (place > 0) list.push(bucketWith(gathered, count));
      gathered = active.slice();
      count = activeCount;
      first = activeCount;
    } else {
      for (const row of begun) {
        const bit = 1 << (row & 31);
        const word = gathered[row >>> 5] ?? 0;
        if ((word & bit) !== 0) continue;
        gathered[row >>> 5] = word | bit;
        count += 1;
      }
    }
    bucketOf[place] = list.length;
    for (const row of end.of(place)) activeCount += flip(active, row);
  }
  list.push(bucketWith(gathered, count));
  return { list, bucketOf };
}

/** @returns the change of the number of bits */
function flip(bits: Uint32Array, row: number): number {
  const word = (bits[row >>> 5] ?? 0) ^ (1 << (row & 31));
  bits[row >>> 5] = word;
  return (word & (1 << (row & 31))) === 0 ? -1 : 1;
}

function bucketWith(bits: Uint32Array, count: number): Bucket {
  if (count > bits.length) return { count, rows: undefined, bits: bitSet(bits) };
  const rows = new Uint32Array(count);
  let at = 0;
  for (const [word, value] of bits.entries()) {
    for (let rest = value; rest !== 0; rest &= rest - 1) {
      rows[at] = word * 32 + lowestBit(rest);
      at += 1;
    }
  }
  return { count, rows, bits: undefined };
}

/** @param word - not zero */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The rows whose ranges begin (`offset` 0) or end (1) with each class. */
function groupedBy(
  size: number,
  ranges: readonly Ranges[],
  offset: 0 | 1,
): { of(place: number): Uint32Array } {
  const starts = new Uint32Array(size + 1);
  for (const own of ranges) {
    for (let at = offset; at < own.length; at += 2) {
      const place = (own[at] ?? 0) + 1;
      starts[place] = (starts[place] ?? 0) + 1;
    }
  }
  for (let place = 0; place < size; place += 1)
    starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
  const rows = new Uint32Array(starts[size] ?? 0);
  const next = starts.slice();
  for (const [row, own] of ranges.entries()) {
    for (let at = offset; at < own.length; at += 2) {
      const place = own[at] ?? 0;
      const to = next[place] ?? 0;
      rows[to] = row;
      next[place] = to + 1;
    }
  }
  return { of: (place) => rows.subarray(starts[place], starts[place + 1]) };
}
