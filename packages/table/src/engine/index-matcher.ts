import type { Condition, ValueSet } from "../cells/condition.js";
import { type Axis, axisOf, type Ranges, rangesOf } from "./axis.js";
import { allRows, type Buckets, bucketsOf, RowSets } from "./buckets.js";
import type { Dimension } from "./dimensions.js";
import type { FieldValue } from "./field-value.js";
import { type Found, IndexMatches, Rows } from "./index-rows.js";
import type { Cell, Matcher, Matches } from "./matcher.js";
import { meetsOf } from "./meets.js";
import { positionOf, type Span, spanOf } from "./positions.js";
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
  /** As the index has them. */
  readonly #columns: readonly Indexed[];
  readonly #index: Found;

  constructor(dimensions: readonly Dimension[], size: number) {
    this.#dimensions = dimensions;
    const later: Cell[][] = [];
    const sets = new RowSets(size);
    const columns = dimensions
      .flatMap((dimension, place) => indexed(dimension, place, later, sets))
      .toSorted((one, other) => one.buckets.mean - other.buckets.mean);
    const all = sets.add(allRows(size), Infinity);
    this.#columns = columns;
    this.#index = {
      rows: new Rows(
        columns.map(({ spans }) => spans),
        size,
        later,
      ),
      buckets: columns.map(({ buckets }) => buckets),
      sets: sets.joined(),
      words: sets.words,
      all,
    };
  }

  match(input: unknown, profile: unknown, nowMs: number): Matches {
    const positions: number[] = [];
    for (const { dimension, axis } of this.#columns)
      positions.push(positionOf(axis, dimension.valueOf(input, nowMs)));
    const { hasLater } = this.#index.rows;
    const check = hasLater ? { values: this.#values(input, nowMs), input, profile } : undefined;
    return new IndexMatches(this.#index, positions, check);
  }

  #values(input: unknown, nowMs: number): readonly FieldValue[] {
    return this.#dimensions.map((dimension) => dimension.valueOf(input, nowMs));
  }
}

/** Where the values are that meet a condition. */
interface Place {
  readonly ranges: Ranges;
  readonly span: Span;
  /** Whether a value's position says whether it meets the condition. */
  readonly isDecided: boolean;
}

/**
 * The index of a column; none for one whose conditions any value meets.
 *
 * @param place - of the dimension
 * @param later - takes the conditions, per row, that positions don't decide
 */
function indexed(dimension: Dimension, place: number, later: Cell[][], sets: RowSets): readonly Indexed[] {
  const { column, conditions } = dimension;
  // Cells with the same text share a condition.
  const met = new Map<Condition, ValueSet | undefined>();
  for (const condition of conditions)
    if (!met.has(condition)) met.set(condition, valueSetOf(condition, column, unbound));
  const axis = axisOf(
    column,
    [...met.values()].filter((set) => set !== undefined),
  );
  const everything: Ranges = [0, axis.size - 1];
  const all: Place = { ranges: everything, span: spanOf(axis, everything), isDecided: true };
  const known = new Map<Condition, Place>();
  for (const [condition, set] of met) {
    if (condition.kind === "any") known.set(condition, all);
    else if (set === undefined) known.set(condition, { ...all, isDecided: false });
    else {
      const ranges = rangesOf(axis, condition, set);
      const span = spanOf(axis, ranges);
      known.set(condition, { ranges, span, isDecided: span.isExact });
    }
  }
  const own = conditions.map((condition, row) => {
    const found = known.get(condition) ?? all;
    if (!found.isDecided) {
      later[row] ??= [];
      later[row].push({ place, meets: meetsOf(condition, column) });
    }
    return found;
  });
  if (own.every(({ ranges }) => ranges === everything)) return [];
  const buckets = bucketsOf(
    axis,
    own.map(({ ranges }) => ranges),
    sets,
  );
  return [{ dimension, axis, spans: own.map(({ span }) => span), buckets }];
}
