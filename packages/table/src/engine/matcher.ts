import type { Dimension } from "./dimensions.js";
import type { FieldValue } from "./field-value.js";
import { type Meets, meetsOf } from "./meets.js";

/** Finds the rows that an input meets. */
export interface Matcher {
  /** @param profile - that has passed validation */
  match(input: unknown, profile: unknown, nowMs: number): Matches;
}

/** The rows that one input meets, found one by one. */
export interface Matches {
  /** The place of the next row in table order, or -1. */
  next(): number;
}

/** Tries each row, by closures: the fastest for a few rows. */
export class RowMatcher implements Matcher {
  readonly #dimensions: readonly Dimension[];
  /** Per row; what any value meets is left out. */
  readonly #rows: readonly (readonly Cell[])[];

  constructor(dimensions: readonly Dimension[], size: number) {
    this.#dimensions = dimensions;
    this.#rows = Array.from({ length: size }, (_row, row) =>
      dimensions.flatMap(({ column, conditions }, place) => {
        const condition = conditions[row];
        return condition === undefined || condition.kind === "any"
          ? []
          : [{ place, meets: meetsOf(condition, column) }];
      }),
    );
  }

  match(input: unknown, profile: unknown, nowMs: number): Matches {
    const values: FieldValue[] = [];
    for (const dimension of this.#dimensions) values.push(dimension.valueOf(input, nowMs));
    return new RowMatches(this.#rows, values, input, profile);
  }
}

/** One condition of a row. */
export interface Cell {
  /** Of the dimension. */
  readonly place: number;
  readonly meets: Meets;
}

class RowMatches implements Matches {
  readonly #rows: readonly (readonly Cell[])[];
  readonly #values: readonly FieldValue[];
  readonly #input: unknown;
  readonly #profile: unknown;
  #row = -1;

  constructor(
    rows: readonly (readonly Cell[])[],
    values: readonly FieldValue[],
    input: unknown,
    profile: unknown,
  ) {
    this.#rows = rows;
    this.#values = values;
    this.#input = input;
    this.#profile = profile;
  }

  next(): number {
    for (let row = this.#row + 1; row < this.#rows.length; row += 1) {
      if (!isMet(this.#rows[row] ?? [], this.#values, this.#input, this.#profile)) continue;
      this.#row = row;
      return row;
    }
    this.#row = this.#rows.length;
    return -1;
  }
}

export function isMet(
  cells: readonly Cell[],
  values: readonly FieldValue[],
  input: unknown,
  profile: unknown,
): boolean {
  for (const { place, meets } of cells) if (!meets(values[place], input, profile)) return false;
  return true;
}
