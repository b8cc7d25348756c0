import type { Axis, Ranges } from "./axis.js";
import { lowest } from "./positions.js";
import { searchIn } from "./search.js";

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
  /** The mean number of rows that a class leaves. */
  readonly mean: number;
  /** The bucket of a position. */
  at(position: number): Bucket | undefined;
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
    const from = begin.starts[place] ?? 0;
    const to = begin.starts[place + 1] ?? 0;
    for (let at = from; at < to; at += 1) activeCount += flip(active, begin.rows[at] ?? 0);
    const isFull = count + to - from > first * 1.06 + slack || activeCount + slack < count / 2;
    if (place === 0 || isFull) {
      if (place > 0) list.push(bucketWith(gathered, count));
      gathered = active.slice();
      count = activeCount;
      first = activeCount;
    } else {
      for (let at = from; at < to; at += 1) {
        const row = begin.rows[at] ?? 0;
        const bit = 1 << (row & 31);
        const word = gathered[row >>> 5] ?? 0;
        if ((word & bit) !== 0) continue;
        gathered[row >>> 5] = word | bit;
        count += 1;
      }
    }
    bucketOf[place] = list.length;
    const last = end.starts[place + 1] ?? 0;
    for (let at = end.starts[place] ?? 0; at < last; at += 1) activeCount += flip(active, end.rows[at] ?? 0);
  }
  list.push(bucketWith(gathered, count));
  let sum = 0;
  for (const bucket of bucketOf) sum += list[bucket]?.count ?? 0;
  return { list, mean: sum / axis.size, at: finderOf(axis, list, bucketOf) };
}

/** Finds the bucket of a position. There are far fewer buckets than classes. */
function finderOf(
  axis: Axis,
  list: readonly Bucket[],
  bucketOf: Uint32Array,
): (position: number) => Bucket | undefined {
  if (!axis.isOrdered) return (position) => list[bucketOf[position] ?? 0];
  const { foreign } = axis;
  // Of each bucket that has numbers, but the first.
  const starts: number[] = [];
  for (let own = 1; own < foreign; own += 1)
    if (bucketOf[own] !== bucketOf[own - 1]) starts.push(lowest(axis, own));
  const marks = Float64Array.from(starts);
  const placeOf = searchIn(marks);
  const ofForeign = list[bucketOf[foreign] ?? 0];
  const ofNull = list[bucketOf[foreign + 1] ?? 0];
  return (position) => {
    if (position === Infinity) return ofNull;
    if (position === -Infinity) return ofForeign;
    const place = placeOf(position);
    return list[marks[place] === position ? place + 1 : place];
  };
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

/** Rows by class. */
interface Grouped {
  readonly rows: Uint32Array;
  /** Where the rows of each class start, and after the last class, where they end. */
  readonly starts: Uint32Array;
}

/** The rows whose ranges begin (`offset` 0) or end (1) with each class. */
function groupedBy(size: number, ranges: readonly Ranges[], offset: 0 | 1): Grouped {
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
  return { rows, starts };
}
