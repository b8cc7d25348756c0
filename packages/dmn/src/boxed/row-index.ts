import type { ConstantTests } from "../feel/tests.js";
import type { FeelValue } from "../values/value.js";

/** Below, rows are tested one by one as fast. */
const fewRows = 24;

/** What the bits of one column may take, in words of 32 bits. */
const mostWords = 2 ** 21;

/**
 * Which rows of a table a value may meet, by column: a bit per row. Cells that aren't constants count as met, and are tested
 * afterwards.
 */
export class RowIndex {
  readonly #columns: readonly (ColumnIndex | undefined)[];
  /** By row: the columns whose cells aren't constants. */
  readonly #open: readonly (readonly number[])[];
  readonly #everyColumn: readonly number[];

  private constructor(cells: readonly (readonly (ConstantTests | undefined)[])[]) {
    const width = cells[0]?.length ?? 0;
    this.#columns = Array.from({ length: width }, (_, column) =>
      ColumnIndex.of(cells.map((row) => row[column])),
    );
    this.#open = cells.map((row) => row.flatMap((cell, column) => (cell === undefined ? [column] : [])));
    this.#everyColumn = this.#columns.map((_column, index) => index);
  }

  /** @param cells - by row and column. @returns undefined for a small table, which needs none */
  static of(cells: readonly (readonly (ConstantTests | undefined)[])[]): RowIndex | undefined {
    return cells.length < fewRows ? undefined : new RowIndex(cells);
  }

  /**
   * Visits the rows that may match, in order, each with the columns that are still to be tested, until a visit returns false.
   */
  visit(values: readonly FeelValue[], visit: (row: number, open: readonly number[]) => boolean): void {
    const known: RowSet[] = [];
    let isComplete = true;
    for (let column = 0; column < this.#columns.length; column += 1) {
      const index = this.#columns[column];
      if (index?.isAny === true) continue;
      const rows = index?.rowsOf(values[column] ?? null);
      if (rows === undefined) isComplete = false;
      else known.push(rows);
    }
    for (let block = 0; block * 1024 < this.#open.length; block += 1) {
      let words = everyBit;
      for (const set of known) words &= set.words[block] ?? 0;
      for (; words !== 0; words &= words - 1) {
        const word = block * 32 + lowestBit(words);
        let bits = everyBit;
        for (const set of known) bits &= set.rows[word] ?? 0;
        for (; bits !== 0; bits &= bits - 1) {
          const row = word * 32 + lowestBit(bits);
          const open = isComplete ? this.#open[row] : this.#everyColumn;
          // The last word has bits for rows that do not exist.
          if (row >= this.#open.length || open === undefined) return;
          if (!visit(row, open)) return;
        }
      }
    }
  }
}

const everyBit = ~0;

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** A bit per row, and one for each word of them that has any. */
class RowSet {
  readonly rows: Uint32Array;
  readonly words: Uint32Array;

  private constructor(rows: Uint32Array, words: Uint32Array) {
    this.rows = rows;
    this.words = words;
  }

  static empty(count: number): RowSet {
    return new RowSet(new Uint32Array(Math.ceil(count / 32)), new Uint32Array(Math.ceil(count / 1024)));
  }

  add(row: number): void {
    setBit(this.rows, row);
    setBit(this.words, row >> 5);
  }

  copy(): RowSet {
    return new RowSet(this.rows.slice(), this.words.slice());
  }
}

function setBit(words: Uint32Array, bit: number): void {
  words[bit >> 5] = (words[bit >> 5] ?? 0) | (1 << (bit & 31));
}

/** The rows of one column by value: numbers by where they stand between the ends of intervals. */
class ColumnIndex {
  readonly #texts = new Map<FeelValue, RowSet>();
  readonly #ends: readonly number[];
  /** Before the first end, at it, between it and the next, and so on. */
  readonly #segments: readonly RowSet[];
  /** Rows that every value may meet. */
  readonly #always: RowSet;
  /** Whether every value may meet every row. */
  readonly isAny: boolean;

  private constructor(cells: readonly (ConstantTests | undefined)[], ends: readonly number[]) {
    this.#always = RowSet.empty(cells.length);
    for (const [row, cell] of cells.entries()) {
      if (cell === undefined || cell === "any") this.#always.add(row);
    }
    this.isAny = cells.every((cell) => cell === undefined || cell === "any");
    this.#ends = ends;
    this.#segments = Array.from({ length: 2 * ends.length + 1 }, () => this.#always.copy());
    for (const [row, cell] of cells.entries()) {
      if (cell !== undefined && cell !== "any") this.#add(row, cell);
    }
  }

  /** @returns undefined for a column whose index would be too large */
  static of(cells: readonly (ConstantTests | undefined)[]): ColumnIndex | undefined {
    const ends = new Set<number>();
    const texts = new Set<FeelValue>();
    for (const cell of cells) {
      for (const test of cell === undefined || cell === "any" ? [] : cell) {
        if ("value" in test) texts.add(test.value);
        else for (const end of [test.low, test.high]) if (Number.isFinite(end)) ends.add(end);
      }
    }
    const words = Math.ceil(cells.length / 32);
    if ((2 * ends.size + 1 + texts.size) * words > mostWords) return undefined;
    return new ColumnIndex(
      cells,
      [...ends].sort((a, b) => a - b),
    );
  }

  #add(row: number, tests: Exclude<ConstantTests, "any">): void {
    for (const test of tests) {
      if ("value" in test) {
        const rows = this.#texts.get(test.value) ?? this.#always.copy();
        this.#texts.set(test.value, rows);
        rows.add(row);
        continue;
      }
      const from =
        this.#segmentOf(test.low) + (test.lowIncluded || test.low === Number.NEGATIVE_INFINITY ? 0 : 1);
      const to =
        this.#segmentOf(test.high) - (test.highIncluded || test.high === Number.POSITIVE_INFINITY ? 0 : 1);
      for (let segment = from; segment <= to; segment += 1) {
        this.#segments[segment]?.add(row);
      }
    }
  }

  #segmentOf(value: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = this.#ends[middle] ?? 0;
      if (end === value) return 2 * middle + 1;
      if (end < value) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }

  /** @returns undefined for a value of a kind that constants don't have: each cell must be tested */
  rowsOf(value: FeelValue): RowSet | undefined {
    if (typeof value === "number") return this.#segments[this.#segmentOf(value)];
    if (typeof value === "string" || typeof value === "boolean")
      return this.#texts.get(value) ?? this.#always;
    return value === null ? this.#always : undefined;
  }
}
