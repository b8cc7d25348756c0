import type { ConstantTests } from "../feel/constant-tests.js";
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
    const known: Uint32Array[] = [];
    let isComplete = true;
    for (let column = 0; column < this.#columns.length; column += 1) {
      const index = this.#columns[column];
      if (index?.isAny === true) continue;
      const rows = index?.rowsOf(values[column] ?? null);
      if (rows === undefined) isComplete = false;
      else known.push(rows);
    }
    for (let word = 0; word * 32 < this.#open.length; word += 1) {
      let bits = 0xffff_ffff;
      for (let column = 0; column < known.length && bits !== 0; column += 1)
        bits &= known[column]?.[word] ?? 0;
      while (bits !== 0) {
        const row = word * 32 + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        const open = isComplete ? this.#open[row] : this.#everyColumn;
        // The last word has bits for rows that do not exist.
        if (row >= this.#open.length || open === undefined) return;
        if (!visit(row, open)) return;
      }
    }
  }
}

/** The rows of one column by value: numbers by where they stand between the ends of intervals. */
class ColumnIndex {
  readonly #texts = new Map<FeelValue, Uint32Array>();
  readonly #ends: readonly number[];
  /** Before the first end, at it, between it and the next, and so on. */
  readonly #segments: readonly Uint32Array[];
  /** Rows that every value may meet. */
  readonly #always: Uint32Array;
  /** Whether every value may meet every row. */
  readonly isAny: boolean;

  private constructor(cells: readonly (ConstantTests | undefined)[], ends: readonly number[]) {
    const words = Math.ceil(cells.length / 32);
    this.#always = new Uint32Array(words);
    for (const [row, cell] of cells.entries()) {
      if (cell === undefined || cell === "any") set(this.#always, row);
    }
    this.isAny = cells.every((cell) => cell === undefined || cell === "any");
    this.#ends = ends;
    this.#segments = Array.from({ length: 2 * ends.length + 1 }, () => this.#always.slice());
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
        const rows = this.#texts.get(test.value) ?? this.#always.slice();
        this.#texts.set(test.value, rows);
        set(rows, row);
        continue;
      }
      const from =
        this.#segmentOf(test.low) + (test.lowIncluded || test.low === Number.NEGATIVE_INFINITY ? 0 : 1);
      const to =
        this.#segmentOf(test.high) - (test.highIncluded || test.high === Number.POSITIVE_INFINITY ? 0 : 1);
      for (let segment = from; segment <= to; segment += 1) {
        const rows = this.#segments[segment];
        if (rows !== undefined) set(rows, row);
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
  rowsOf(value: FeelValue): Uint32Array | undefined {
    if (typeof value === "number") return this.#segments[this.#segmentOf(value)];
    if (typeof value === "string" || typeof value === "boolean")
      return this.#texts.get(value) ?? this.#always;
    return value === null ? this.#always : undefined;
  }
}

function set(rows: Uint32Array, row: number): void {
  const word = row >> 5;
  rows[word] = (rows[word] ?? 0) | (1 << (row & 31));
}
