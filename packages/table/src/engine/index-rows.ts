import { allRows, type BitSet, lowestBit } from "./buckets.js";
import { type Cell, isMet, type Matches } from "./matcher.js";
import type { Span } from "./positions.js";
import type { FieldValue } from "./scalar.js";

/** What closures need. */
export interface Check {
  readonly values: readonly FieldValue[];
  readonly input: unknown;
  readonly profile: unknown;
}

/** The conditions of all rows. */
export class Rows {
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

export class ListMatches implements Matches {
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

export class BitMatches implements Matches {
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
