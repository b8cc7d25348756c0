import type { Condition, ValueSet } from "../cells/condition.js";
import { type Axis, axisOf, type Ranges, rangesOf } from "./axis.js";
import { allRows, type BitSet, type Buckets, bucketsOf, lowestBit } from "./buckets.js";
import type { Dimension } from "./dimensions.js";
import { type Cell, isMet, type Matcher, type Matches } from "./matcher.js";
import { meetsOf } from "./meets.js";
import { positionOf, type Span, spanOf } from "./positions.js";
import type { FieldValue } from "./scalar.js";
import { unbound, valueSetOf } from "./value-set.js";

/** One column of the index. */
interface Indexed {
  readonly dimension: Dimension;
  readonly axis: Axis;
  /** Per row. */
  readonly spans: readonly Span[];
  readonly buckets: Buckets;
}

/**
 * Finds rows through an index: each column's value leads to a bucket of rows that may meet it, which are intersected. What
 * remains is checked by the positions of the values, and then by closures where these don't tell all, such as for a condition that
 * refers to the input or the profile.
 */
export class IndexMatcher implements Matcher {
  readonly #dimensions: readonly Dimension[];
  /** The column whose buckets have the fewest rows first. */
  readonly #columns: readonly Indexed[];
  readonly #rows: Rows;

  constructor(dimensions: readonly Dimension[], size: number) {
    this.#dimensions = dimensions;
    const later: Cell[][] = [];
    const columns = dimensions.flatMap((dimension, place) => indexed(dimension, place, later));
    this.#columns = columns.toSorted((one, other) => one.buckets.mean - other.buckets.mean);
    this.#rows = new Rows(
      this.#columns.map(({ spans }) => spans),
      size,
      later,
    );
  }

  match(input: unknown, profile: unknown, nowMs: number): Matches {
    const positions: number[] = [];
    const sets: BitSet[] = [];
    let rows: Uint32Array | undefined;
    let others: Uint32Array | undefined;
    for (const { dimension, axis, buckets } of this.#columns) {
      const position = positionOf(axis, dimension.valueOf(input, nowMs));
      positions.push(position);
      const bucket = buckets.at(position);
      if (bucket?.bits !== undefined) sets.push(bucket.bits);
      else if (bucket?.rows !== undefined) {
        if (rows === undefined || bucket.count < rows.length) {
          others = rows;
          rows = bucket.rows;
        } else if (others === undefined || bucket.count < others.length) others = bucket.rows;
      }
    }
    const found = this.#rows;
    const check = found.hasLater ? { values: this.#values(input, nowMs), input, profile } : undefined;
    return rows === undefined
      ? new BitMatches(found, positions, sets, check)
      : new ListMatches(found, positions, { rows, others, sets }, check);
  }

  #values(input: unknown, nowMs: number): readonly FieldValue[] {
    return this.#dimensions.map((dimension) => dimension.valueOf(input, nowMs));
  }
}

/**
 * The index of a column; none for one whose conditions any value meets.
 *
 * @param place - of the dimension
 * @param later - takes the conditions, per row, that positions don't decide
 */
function indexed(dimension: Dimension, place: number, later: Cell[][]): readonly Indexed[] {
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
  const all = { ranges: everything, span: spanOf(axis, everything) };
  const known = new Map<Condition, typeof all>();
  for (const [condition, set] of sets) {
    const ranges =
      set === undefined || condition.kind === "any" ? everything : rangesOf(axis, condition, set);
    known.set(condition, ranges === everything ? all : { ranges, span: spanOf(axis, ranges) });
  }
  const own = conditions.map((condition) => known.get(condition) ?? all);
  for (const [row, condition] of conditions.entries()) {
    if (sets.get(condition) !== undefined && own[row]?.span.isExact === true) continue;
    later[row] ??= [];
    later[row].push({ place, meets: meetsOf(condition, column) });
  }
  if (own.every((each) => each === all)) return [];
  const buckets = bucketsOf(
    axis,
    own.map(({ ranges }) => ranges),
  );
  return [{ dimension, axis, spans: own.map(({ span }) => span), buckets }];
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
  /** First and last position per row and column. */
  readonly #ends: Float64Array;
  readonly #later: readonly (readonly Cell[] | undefined)[];

  constructor(
    columns: readonly (readonly Span[])[],
    size: number,
    later: readonly (readonly Cell[] | undefined)[],
  ) {
    this.all = allRows(size);
    this.hasLater = later.length > 0;
    this.#later = later;
    this.#width = columns.length;
    this.#ends = new Float64Array(2 * columns.length * size);
    for (const [place, spans] of columns.entries()) {
      for (const [row, { low, high }] of spans.entries()) {
        const at = 2 * (row * columns.length + place);
        this.#ends[at] = low;
        this.#ends[at + 1] = high;
      }
    }
  }

  has(row: number, positions: readonly number[], check: Check | undefined): boolean {
    const ends = this.#ends;
    let at = 2 * row * this.#width;
    for (let place = 0; place < positions.length; place += 1, at += 2) {
      const own = positions[place] ?? 0;
      if (own < (ends[at] ?? 0) || own > (ends[at + 1] ?? 0)) return false;
    }
    if (check === undefined) return true;
    const later = this.#later[row];
    return later === undefined || isMet(later, check.values, check.input, check.profile);
  }
}

/** What the columns leave of the rows, where one of them leaves few. */
interface Few {
  readonly rows: Uint32Array;
  /** Of the column that leaves the fewest but one, if it leaves few. */
  readonly others: Uint32Array | undefined;
  readonly sets: readonly BitSet[];
}

class ListMatches implements Matches {
  readonly #rows: Rows;
  readonly #positions: readonly number[];
  readonly #few: Few;
  readonly #check: Check | undefined;
  #at = 0;
  #other = 0;

  constructor(rows: Rows, positions: readonly number[], few: Few, check: Check | undefined) {
    this.#rows = rows;
    this.#positions = positions;
    this.#few = few;
    this.#check = check;
  }

  next(): number {
    const { rows, others, sets } = this.#few;
    while (this.#at < rows.length) {
      const row = rows[this.#at] ?? 0;
      this.#at += 1;
      // What lies in a few cache lines first: a row's conditions are anywhere in the memory.
      if (others !== undefined) {
        let other = this.#other;
        while (other < others.length && (others[other] ?? 0) < row) other += 1;
        this.#other = other;
        if (other === others.length) {
          this.#at = rows.length;
          return -1;
        }
        if (others[other] !== row) continue;
      }
      if (isInAll(sets, row) && this.#rows.has(row, this.#positions, this.#check)) return row;
    }
    return -1;
  }
}

function isInAll(sets: readonly BitSet[], row: number): boolean {
  for (let at = 0; at < sets.length; at += 1)
    if ((((sets[at]?.bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 0) return false;
  return true;
}

class BitMatches implements Matches {
  readonly #rows: Rows;
  readonly #positions: readonly number[];
  readonly #sets: readonly BitSet[];
  readonly #check: Check | undefined;
  /** The word of the sets, and what is left of it. */
  #word = -1;
  #rest = 0;

  constructor(rows: Rows, positions: readonly number[], sets: readonly BitSet[], check: Check | undefined) {
    this.#rows = rows;
    this.#positions = positions;
    this.#sets = sets;
    this.#check = check;
  }

  next(): number {
    for (;;) {
      while (this.#rest !== 0) {
        const row = this.#word * 32 + lowestBit(this.#rest);
        this.#rest &= this.#rest - 1;
        if (this.#rows.has(row, this.#positions, this.#check)) return row;
      }
      if (!this.#advance()) return -1;
    }
  }

  /** Goes to the next word in which the sets have a row in common. */
  #advance(): boolean {
    const sets = this.#sets;
    const { all } = this.#rows;
    // Eight at once, whether there are so many or not: where many rows meet each value, a jump after each is what takes time.
    const bitsOf = (at: number): Uint32Array => (sets[at] ?? all).bits;
    const [a, b, c, d] = [bitsOf(0), bitsOf(1), bitsOf(2), bitsOf(3)];
    const [e, f, g, h] = [bitsOf(4), bitsOf(5), bitsOf(6), bitsOf(7)];
    const isFew = sets.length <= 4;
    for (let word = this.#word + 1; word < a.length; word += 1) {
      if ((word & 31) === 0 && this.#isBlank(word >>> 5)) {
        word += 31;
        continue;
      }
      let rest = (a[word] ?? 0) & (b[word] ?? 0) & (c[word] ?? 0) & (d[word] ?? 0);
      if (!isFew) rest &= (e[word] ?? 0) & (f[word] ?? 0) & (g[word] ?? 0) & (h[word] ?? 0);
      for (let at = 8; at < sets.length && rest !== 0; at += 1) rest &= bitsOf(at)[word] ?? 0;
      if (rest === 0) continue;
      this.#word = word;
      this.#rest = rest;
      return true;
    }
    this.#word = a.length;
    return false;
  }

  /** Whether the sets have no word in common among 32. */
  #isBlank(block: number): boolean {
    let rest = this.#rows.all.summary[block] ?? 0;
    for (let at = 0; at < this.#sets.length && rest !== 0; at += 1)
      rest &= this.#sets[at]?.summary[block] ?? 0;
    return rest === 0;
  }
}
