import type { Axis, Ranges } from "./axis.js";
import { searchIn } from "./axis.js";
import { lowest } from "./positions.js";

/** The rows of an index's buckets, in one piece of memory: fewer loads lead to them than to an object each. */
export class RowSets {
  /** Words of 32 rows in a set of bits. After them comes a bit per word, which is set if the word isn't zero. */
  readonly words: number;
  readonly #parts: Uint32Array[] = [];
  #length = 0;

  constructor(size: number) {
    this.words = wordsOf(size);
  }

  /** Fewer rows are a list of them in ascending order, more are bits. */
  isList(count: number): boolean {
    return count <= this.words;
  }

  /** @returns where it begins */
  add(bits: Uint32Array, count: number): number {
    const place = this.#length;
    const part = this.isList(count) ? listOf(bits, count) : withSummary(bits);
    this.#parts.push(part);
    this.#length += part.length;
    return place;
  }

  joined(): Uint32Array {
    const all = new Uint32Array(this.#length);
    let place = 0;
    for (const part of this.#parts) {
      all.set(part, place);
      place += part.length;
    }
    return all;
  }
}

function wordsOf(bits: number): number {
  return (bits + 31) >>> 5;
}

function withSummary(bits: Uint32Array): Uint32Array {
  const { length } = bits;
  const all = new Uint32Array(length + wordsOf(length));
  all.set(bits);
  for (let word = 0; word < length; word += 1) {
    const at = length + (word >>> 5);
    if (bits[word] !== 0) all[at] = (all[at] ?? 0) | (1 << (word & 31));
  }
  return all;
}

function listOf(bits: Uint32Array, count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) {
      rows[at] = word * 32 + lowestBit(rest);
      at += 1;
    }
  }
  return rows;
}

/** A bit for each of so many rows. */
export function allRows(size: number): Uint32Array {
  const bits = new Uint32Array(wordsOf(size)).fill(0xffff_ffff);
  if ((size & 31) !== 0) bits[size >>> 5] = 2 ** (size & 31) - 1;
  return bits;
}

/** Buckets of neighbouring classes: rows that may meet a column's value, which are at least those that do. */
export class Buckets {
  /** The rows in each bucket. */
  readonly counts: Uint32Array;
  /** Where they begin among the index's rows. */
  readonly places: Uint32Array;
  /** The mean number of rows that a class leaves. */
  readonly mean: number;
  readonly #isOrdered: boolean;
  /** The bucket of each class. */
  readonly #ofClass: Uint32Array;
  /** Of an ordered column: the first position of each bucket but the first. There are far fewer buckets than classes. */
  readonly #marks: Float64Array;
  readonly #placeOf: (position: number) => number;
  readonly #ofForeign: number;
  readonly #ofNull: number;

  constructor(axis: Axis, ofClass: Uint32Array, counts: readonly number[], places: readonly number[]) {
    this.counts = Uint32Array.from(counts);
    this.places = Uint32Array.from(places);
    let sum = 0;
    for (const bucket of ofClass) sum += counts[bucket] ?? 0;
    this.mean = sum / ofClass.length;
    const starts: number[] = [];
    for (let own = 1; axis.isOrdered && own < axis.foreign; own += 1)
      if (ofClass[own] !== ofClass[own - 1]) starts.push(lowest(axis, own));
    this.#isOrdered = axis.isOrdered;
    this.#ofClass = ofClass;
    this.#marks = Float64Array.from(starts);
    this.#placeOf = searchIn(this.#marks);
    this.#ofForeign = ofClass[axis.foreign] ?? 0;
    this.#ofNull = ofClass[axis.foreign + 1] ?? 0;
  }

  /** The bucket of a position. */
  at(position: number): number {
    if (!this.#isOrdered) return this.#ofClass[position] ?? 0;
    if (position === Infinity) return this.#ofNull;
    if (position === -Infinity) return this.#ofForeign;
    const place = this.#placeOf(position);
    return this.#marks[place] === position ? place + 1 : place;
  }
}

/** Classes share a bucket while it has at most this many rows more than its first class had, besides a share of them. */
const slack = 8;

/**
 * Gathers neighbouring classes that nearly the same rows meet. The rows in all buckets together are at most about six per range,
 * whatever the number of classes: a new bucket begins only after a share of a bucket's rows have begun or ended, and each range
 * begins and ends once.
 *
 * @param ranges - per row
 * @param sets - takes the rows
 */
export function bucketsOf(axis: Axis, ranges: readonly Ranges[], sets: RowSets): Buckets {
  const begin = groupedBy(axis.size + 1, ranges, 0);
  const end = groupedBy(axis.size + 1, ranges, 1);
  const bucketOf = new Uint32Array(axis.size);
  const counts: number[] = [];
  const places: number[] = [];
  const active = new Uint32Array(sets.words);
  let activeCount = 0;
  let gathered = new Uint32Array(sets.words);
  let count = 0;
  let first = 0;
  for (let place = 0; place < axis.size; place += 1) {
    const from = begin.starts[place] ?? 0;
    const to = begin.starts[place + 1] ?? 0;
    for (let at = from; at < to; at += 1) activeCount += flip(active, begin.rows[at] ?? 0);
    const isFull = count + to - from > first * 1.06 + slack || activeCount + slack < count / 2;
    if (place === 0 || isFull) {
      if (place > 0) places.push(sets.add(gathered, count));
      if (place > 0) counts.push(count);
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
    bucketOf[place] = counts.length;
    const last = end.starts[place + 1] ?? 0;
    for (let at = end.starts[place] ?? 0; at < last; at += 1) activeCount += flip(active, end.rows[at] ?? 0);
  }
  places.push(sets.add(gathered, count));
  counts.push(count);
  return new Buckets(axis, bucketOf, counts, places);
}

/** @returns the change of the number of bits */
function flip(bits: Uint32Array, row: number): number {
  const word = (bits[row >>> 5] ?? 0) ^ (1 << (row & 31));
  bits[row >>> 5] = word;
  return (word & (1 << (row & 31))) === 0 ? -1 : 1;
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
  for (let row = 0; row < ranges.length; row += 1) {
    const own = ranges[row] ?? [];
    for (let at = offset; at < own.length; at += 2) {
      const place = own[at] ?? 0;
      const to = next[place] ?? 0;
      rows[to] = row;
      next[place] = to + 1;
    }
  }
  return { rows, starts };
}
