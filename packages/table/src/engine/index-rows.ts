import { type Buckets, lowestBit } from "./buckets.js";
import type { FieldValue } from "./field-value.js";
import { type Cell, isMet, type Matches } from "./matcher.js";
import type { Span } from "./positions.js";

/** What closures need. */
export interface Check {
  readonly values: readonly FieldValue[];
  readonly input: unknown;
  readonly profile: unknown;
}

/** The conditions of all rows. */
export class Rows {
  readonly size: number;
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
    this.size = size;
    this.hasLater = later.length > 0;
    this.#later = later;
    this.#width = columns.length;
    this.#ends = new Float64Array(2 * columns.length * size);
    for (const [place, spans] of columns.entries()) {
      let at = 2 * place;
      for (const { low, high } of spans) {
        this.#ends[at] = low;
        this.#ends[at + 1] = high;
        at += 2 * columns.length;
      }
    }
  }

  has(row: number, positions: readonly number[], check: Check | undefined): boolean {
    const ends = this.#ends;
    // The last column first: rows often meet the first ones, which they were found by.
    let at = 2 * (row + 1) * this.#width;
    for (let place = this.#width - 1; place >= 0; place -= 1) {
      at -= 2;
      const own = positions[place] ?? 0;
      if (own < (ends[at] ?? 0) || own > (ends[at + 1] ?? 0)) return false;
    }
    if (check === undefined) return true;
    const later = this.#later[row];
    return later === undefined || isMet(later, check.values, check.input, check.profile);
  }
}

/** What finds rows: all of an index. */
export interface Found {
  readonly rows: Rows;
  /** The column whose buckets have the fewest rows first. */
  readonly buckets: readonly Buckets[];
  /** The rows in buckets. */
  readonly sets: Uint32Array;
  /** Of a set of bits. */
  readonly words: number;
  /** Where the set of all rows begins. */
  readonly all: number;
}

/** Columns are asked for their rows until they leave about this many: fewer are tested one by one. */
const few = 4;

/** So many rows that don't match show that columns leave more than expected, and the next is asked. */
const patience = 8;

export class IndexMatches implements Matches {
  readonly #index: Found;
  readonly #positions: readonly number[];
  readonly #check: Check | undefined;
  /** Columns that were asked. */
  #asked = 0;
  #failed = 0;
  /** Where sets of bits begin. */
  readonly #bits: number[] = [];
  /** What is left of the shortest list of rows, and of the shortest but one. */
  #list = -1;
  #end = -1;
  #other = -1;
  #otherEnd = -1;
  /** The word of the sets, and what is left of it. */
  #word = -1;
  #rest = 0;

  constructor(index: Found, positions: readonly number[], check: Check | undefined) {
    this.#index = index;
    this.#positions = positions;
    this.#check = check;
    const { size } = index.rows;
    for (let left = size; left > few && this.#asked < positions.length; ) left *= this.#ask() / size;
  }

  next(): number {
    for (;;) {
      const row = this.#list === -1 ? this.#nextOfBits() : this.#nextOfList();
      if (row === -1 || this.#index.rows.has(row, this.#positions, this.#check)) return row;
      this.#failed += 1;
      if (this.#failed % patience === 0 && this.#asked < this.#positions.length) this.#ask();
    }
  }

  /** Asks the next column for its rows. @returns how many they are */
  #ask(): number {
    const at = this.#asked;
    const { buckets, words } = this.#index;
    const own = buckets[at];
    this.#asked = at + 1;
    if (own === undefined) return 0;
    const bucket = own.at(this.#positions[at] ?? 0);
    const count = own.counts[bucket] ?? 0;
    const place = own.places[bucket] ?? 0;
    if (count > words) this.#bits.push(place);
    else if (this.#word !== -1) {
      // Rows before were found without it.
    } else if (this.#list === -1 || count < this.#end - this.#list) {
      this.#other = this.#list;
      this.#otherEnd = this.#end;
      this.#list = place;
      this.#end = place + count;
    } else if (this.#other === -1 || count < this.#otherEnd - this.#other) {
      this.#other = place;
      this.#otherEnd = place + count;
    }
    return count;
  }

  #nextOfList(): number {
    const { sets } = this.#index;
    while (this.#list < this.#end) {
      const row = sets[this.#list] ?? 0;
      this.#list += 1;
      if (this.#other !== -1) {
        while (this.#other < this.#otherEnd && (sets[this.#other] ?? 0) < row) this.#other += 1;
        if (this.#other === this.#otherEnd) this.#list = this.#end;
        if (this.#other === this.#otherEnd || sets[this.#other] !== row) continue;
      }
      if (this.#isInAll(row)) return row;
    }
    return -1;
  }

  #isInAll(row: number): boolean {
    const { sets } = this.#index;
    for (const place of this.#bits)
      if ((((sets[place + (row >>> 5)] ?? 0) >>> (row & 31)) & 1) === 0) return false;
    return true;
  }

  #nextOfBits(): number {
    if (this.#rest === 0 && !this.#advance()) return -1;
    const row = this.#word * 32 + lowestBit(this.#rest);
    this.#rest &= this.#rest - 1;
    return row;
  }

  /** Goes to the next word in which the sets have a row in common. */
  #advance(): boolean {
    const { sets, words, all } = this.#index;
    const places = this.#bits;
    const { length } = places;
    // Eight together, whether there are so many or not: where many rows meet each value, a jump after each is what takes time.
    const [a = all, b = all, c = all, d = all, e = all, f = all, g = all, h = all] = places;
    for (let word = this.#word + 1; word < words; word += 1) {
      if ((word & 31) === 0 && this.#isBlank(word >>> 5)) {
        word += 31;
        continue;
      }
      let rest =
        (sets[a + word] ?? 0) & (sets[b + word] ?? 0) & (sets[c + word] ?? 0) & (sets[d + word] ?? 0);
      if (length > 4)
        rest &= (sets[e + word] ?? 0) & (sets[f + word] ?? 0) & (sets[g + word] ?? 0) & (sets[h + word] ?? 0);
      for (let at = 8; at < length && rest !== 0; at += 1) rest &= sets[(places[at] ?? 0) + word] ?? 0;
      if (rest === 0) continue;
      this.#word = word;
      this.#rest = rest;
      return true;
    }
    this.#word = words;
    return false;
  }

  /** Whether the sets have no word in common among 32. */
  #isBlank(block: number): boolean {
    const { sets, words, all } = this.#index;
    const at = words + block;
    let rest = sets[all + at] ?? 0;
    for (const place of this.#bits) rest &= sets[place + at] ?? 0;
    return rest === 0;
  }
}
