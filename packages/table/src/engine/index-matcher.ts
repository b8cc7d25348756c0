import type { Condition, ValueSet } from "../cells/condition.js";
import { type Axis, axisOf, type Ranges, rangesOf } from "./axis.js";
import { allRows, type BitSet, type Buckets, bucketsOf, lowestBit } from "./buckets.js";
import type { Dimension } from "./dimensions.js";
import { type Cell, isMet, type Matcher, type Matches } from "./matcher.js";
import { meetsOf } from "./meets.js";
import type { FieldValue } from "./scalar.js";
import { unbound, valueSetOf } from "./value-set.js";

/** One column of the index. */
interface Indexed {
  readonly dimension: Dimension;
  /** Of the dimension. */
  readonly place: number;
  readonly axis: Axis;
  readonly ranges: readonly Ranges[];
  readonly buckets: Buckets;
}

/**
 * Finds rows through an index: each column's value leads to a bucket of rows that may meet it, which are intersected. What
 * remains is checked by the numbers of classes, and then by closures where a condition refers to the input or the profile.
 */
export class IndexMatcher implements Matcher {
  readonly #dimensions: readonly Dimension[];
  /** The column whose buckets have the fewest rows first. */
  readonly #columns: readonly Indexed[];
  readonly #rows: Rows;

  constructor(dimensions: readonly Dimension[], size: number) {
    this.#dimensions = dimensions;
    const later: Cell[][] = [];
    const columns = dimensions.flatMap((dimension, place): readonly Indexed[] => {
      const { column, conditions } = dimension;
      // Cells with the same text share a condition.
      const sets = new Map<Condition, ValueSet | undefined>();
      for (const condition of conditions)
        if (!sets.has(condition)) sets.set(condition, valueSetOf(condition, column, unbound));
      const axis = axisOf(
        column,
        [...sets.values()].filter((set) => set !== undefined),
      );
      const everything: Ranges = [0, axis.size - 1];
      const known = new Map<Condition, Ranges>();
      for (const [condition, set] of sets)
        known.set(
          condition,
          set === undefined || condition.kind === "any" ? everything : rangesOf(axis, condition, set),
        );
      const ranges = conditions.map((condition, row) => {
        if (sets.get(condition) === undefined) {
          later[row] ??= [];
          later[row].push({ place, meets: meetsOf(condition, column) });
        }
        return known.get(condition) ?? everything;
      });
      const tellsApart = ranges.some((own) => own !== everything);
      return tellsApart ? [{ dimension, place, axis, ranges, buckets: bucketsOf(axis, ranges) }] : [];
    });
    this.#columns = columns.toSorted((one, other) => meanSize(one.buckets) - meanSize(other.buckets));
    this.#rows = new Rows(
      this.#columns.map(({ ranges }) => ranges),
      size,
      later,
    );
  }

  match(input: unknown, profile: unknown, nowMs: number): Matches {
    const classes: number[] = [];
    const sets: BitSet[] = [];
    let rows: Uint32Array | undefined;
    for (const { dimension, axis, buckets } of this.#columns) {
      const own = axis.classOf(dimension.valueOf(input, nowMs));
      classes.push(own);
      const bucket = buckets.list[buckets.bucketOf[own] ?? 0];
      if (bucket?.rows !== undefined) {
        if (rows === undefined || bucket.count < rows.length) rows = bucket.rows;
      } else if (bucket?.bits !== undefined) sets.push(bucket.bits);
    }
    const found = this.#rows;
    const check = found.hasLater ? { values: this.#values(input, nowMs), input, profile } : undefined;
    return rows === undefined
      ? new BitMatches(found, classes, sets, check)
      : new ListMatches(found, classes, rows, check);
  }

  #values(input: unknown, nowMs: number): readonly FieldValue[] {
    return this.#dimensions.map((dimension) => dimension.valueOf(input, nowMs));
  }
}

/** The mean number of rows that a class leaves. */
function meanSize({ list, bucketOf }: Buckets): number {
  let sum = 0;
  for (const bucket of bucketOf) sum += list[bucket]?.count ?? 0;
  return sum / bucketOf.length;
}

/** What closures need. */
interface Check {
  readonly values: readonly FieldValue[];
  readonly input: unknown;
  readonly profile: unknown;
}

/** The conditions of all rows. */
class Rows {
  /** A bit per row. */
  readonly all: BitSet;
  readonly hasLater: boolean;
  readonly #width: number;
  /** First and last class per row and column. A pair of -1 and a place stands for several ranges. */
  readonly #ends: Int32Array;
  readonly #several: readonly Ranges[];
  readonly #later: readonly (readonly Cell[] | undefined)[];

  constructor(
    columns: readonly (readonly Ranges[])[],
    size: number,
    later: readonly (readonly Cell[] | undefined)[],
  ) {
    this.all = allRows(size);
    this.hasLater = later.length > 0;
    this.#later = later;
    this.#width = columns.length;
    this.#ends = new Int32Array(2 * columns.length * size);
    const several: Ranges[] = [];
    for (const [place, ranges] of columns.entries()) {
      for (const [row, own] of ranges.entries()) {
        const at = 2 * (row * columns.length + place);
        const [from = 1, to = 0] = own;
        if (own.length > 2) several.push(own);
        this.#ends[at] = own.length > 2 ? -1 : from;
        this.#ends[at + 1] = own.length > 2 ? several.length - 1 : to;
      }
    }
    this.#several = several;
  }

  has(row: number, classes: readonly number[], check: Check | undefined): boolean {
    const ends = this.#ends;
    let at = 2 * row * this.#width;
    for (let place = 0; place < classes.length; place += 1, at += 2) {
      const own = classes[place] ?? 0;
      const from = ends[at] ?? 0;
      const to = ends[at + 1] ?? 0;
      if (from < 0 ? !isIn(this.#several[to] ?? [], own) : own < from || own > to) return false;
    }
    if (check === undefined) return true;
    const later = this.#later[row];
    return later === undefined || isMet(later, check.values, check.input, check.profile);
  }
}

function isIn(ranges: Ranges, own: number): boolean {
  for (let at = 0; at < ranges.length; at += 2) {
    if (own <= (ranges[at + 1] ?? -1)) return own >= (ranges[at] ?? 0);
  }
  return false;
}

class ListMatches implements Matches {
  readonly #rows: Rows;
  readonly #classes: readonly number[];
  readonly #list: Uint32Array;
  readonly #check: Check | undefined;
  #at = 0;

  constructor(rows: Rows, classes: readonly number[], list: Uint32Array, check: Check | undefined) {
    this.#rows = rows;
    this.#classes = classes;
    this.#list = list;
    this.#check = check;
  }

  next(): number {
    while (this.#at < this.#list.length) {
      const row = this.#list[this.#at] ?? 0;
      this.#at += 1;
      if (this.#rows.has(row, this.#classes, this.#check)) return row;
    }
    return -1;
  }
}

class BitMatches implements Matches {
  readonly #rows: Rows;
  readonly #classes: readonly number[];
  readonly #sets: readonly BitSet[];
  readonly #check: Check | undefined;
  /** The word of the summaries, and what is left of it. */
  #block = -1;
  #blockRest = 0;
  /** The word of the sets, and what is left of it. */
  #word = 0;
  #rest = 0;

  constructor(rows: Rows, classes: readonly number[], sets: readonly BitSet[], check: Check | undefined) {
    this.#rows = rows;
    this.#classes = classes;
    this.#sets = sets;
    this.#check = check;
  }

  next(): number {
    for (;;) {
      while (this.#rest !== 0) {
        const row = this.#word * 32 + lowestBit(this.#rest);
        this.#rest &= this.#rest - 1;
        if (this.#rows.has(row, this.#classes, this.#check)) return row;
      }
      if (!this.#advance()) return -1;
    }
  }

  /** Goes to the next word in which the sets have a row in common. */
  #advance(): boolean {
    const sets = this.#sets;
    let block = this.#block;
    let blockRest = this.#blockRest;
    for (;;) {
      while (blockRest === 0) {
        block += 1;
        if (block >= this.#rows.all.summary.length) {
          this.#block = block - 1;
          this.#blockRest = 0;
          return false;
        }
        blockRest = this.#rows.all.summary[block] ?? 0;
        for (let at = 0; at < sets.length && blockRest !== 0; at += 1)
          blockRest &= sets[at]?.summary[block] ?? 0;
      }
      const word = block * 32 + lowestBit(blockRest);
      blockRest &= blockRest - 1;
      let rest = this.#rows.all.bits[word] ?? 0;
      for (let at = 0; at < sets.length && rest !== 0; at += 1) rest &= sets[at]?.bits[word] ?? 0;
      if (rest === 0) continue;
      this.#block = block;
      this.#blockRest = blockRest;
      this.#word = word;
      this.#rest = rest;
      return true;
    }
  }
}
