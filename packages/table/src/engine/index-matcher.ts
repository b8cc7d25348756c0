import type { Condition, ValueSet } from "../cells/condition.js";
import { type Axis, axisOf, type Ranges, rangesOf } from "./axis.js";
import { type BitSet, type Buckets, bucketsOf } from "./buckets.js";
import type { Dimension } from "./dimensions.js";
import { BitMatches, ListMatches, Rows } from "./index-rows.js";
import type { Cell, Matcher, Matches } from "./matcher.js";
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
  const all: Place = { ranges: everything, span: spanOf(axis, everything), isDecided: true };
  const known = new Map<Condition, Place>();
  for (const [condition, set] of sets) {
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
  );
  return [{ dimension, axis, spans: own.map(({ span }) => span), buckets }];
}
