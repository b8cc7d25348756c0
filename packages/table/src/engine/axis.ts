import type { Column, Condition, Scalar, ValueSet } from "../cells/condition.js";
import { isOrdered } from "../cells/scalar.js";
import type { FieldValue } from "./field-value.js";
import { isMetByForeign } from "./value-set.js";

/**
 * The classes of a column's values: all values of one class meet the same conditions. They are numbered, so that a condition is a
 * list of ranges. Of an ordered column, the classes are the ends of intervals and what lies before, between and after them; of
 * others, the values that conditions name, and all that none of them names. The two last classes are values that the type doesn't
 * cover, and none.
 */
export interface Axis {
  /** Ends of intervals in ascending order, or the values that conditions name. */
  readonly marks: readonly Scalar[];
  readonly isOrdered: boolean;
  readonly size: number;
  /** Of values that the column's type doesn't cover. The class of `null` is the next one. */
  readonly foreign: number;
  classOf(value: FieldValue): number;
}

/** First and last class of each range, in ascending order: `[0, 3, 7, 7]` is two ranges. */
export type Ranges = readonly number[];

/** @param sets - of all conditions of the column */
export function axisOf(column: Column, sets: Iterable<ValueSet>): Axis {
  return isOrdered(column.type) ? orderedAxis(sets) : namedAxis(sets);
}

function orderedAxis(sets: Iterable<ValueSet>): Axis {
  const ends = new Set<number>();
  for (const set of sets) {
    if (set.kind !== "intervals") continue;
    for (const { low, high } of set.intervals) {
      if (low !== -Infinity) ends.add(low);
      if (high !== Infinity) ends.add(high);
    }
  }
  const marks = Float64Array.from(ends).sort();
  const foreign = 2 * marks.length + 1;
  const placeOf = searchIn(marks);
  const classOf = (value: FieldValue): number => {
    if (typeof value !== "number") return value === null ? foreign + 1 : foreign;
    const place = placeOf(value);
    return place < marks.length && marks[place] === value ? 2 * place + 1 : 2 * place;
  };
  return { marks: Array.from(marks), isOrdered: true, size: foreign + 2, foreign, classOf };
}

function namedAxis(sets: Iterable<ValueSet>): Axis {
  const places = new Map<Scalar, number>();
  for (const set of sets) {
    if (set.kind !== "values") continue;
    for (const value of set.values) if (!places.has(value)) places.set(value, places.size);
  }
  const other = places.size;
  const classOf = (value: FieldValue): number => {
    if (value === undefined || value === null) return value === null ? other + 2 : other + 1;
    return places.get(value) ?? other;
  };
  return { marks: [...places.keys()], isOrdered: false, size: other + 3, foreign: other + 1, classOf };
}

/** The classes that meet a condition. */
export function rangesOf(axis: Axis, condition: Condition, set: ValueSet): Ranges {
  const ranges: number[] = [];
  const add = (from: number, to: number): void => {
    if (from > to) return;
    if (ranges.length > 0 && ranges[ranges.length - 1] === from - 1) ranges[ranges.length - 1] = to;
    else ranges.push(from, to);
  };
  const { foreign } = axis;
  if (set.kind === "intervals") {
    for (const { low, isLowClosed, high, isHighClosed } of set.intervals) {
      const from = low === -Infinity ? 0 : axis.classOf(low) + (isLowClosed ? 0 : 1);
      const to = high === Infinity ? foreign - 1 : axis.classOf(high) - (isHighClosed ? 0 : 1);
      add(from, to);
    }
  } else {
    const classes = [...set.values].map((value) => axis.classOf(value)).sort((one, other) => one - other);
    let next = 0;
    for (const place of classes) {
      if (set.isComplement) add(next, place - 1);
      else add(place, place);
      next = place + 1;
    }
    if (set.isComplement) add(next, foreign - 1);
  }
  if (isMetByForeign(condition)) add(foreign, foreign);
  if (set.hasNull) add(foreign + 1, foreign + 1);
  return ranges;
}

/** Bins of equal width, which narrow the search among many marks down to a few neighbours: most others aren't in the cache. */
interface Bins {
  readonly low: number;
  /** Bins per unit. */
  readonly scale: number;
  readonly last: number;
  /** The first mark that isn't in a bin before it. A larger value is never in an earlier bin. */
  readonly starts: Uint32Array;
}

const fewMarks = 32;

function binsOf(marks: Float64Array): Bins | undefined {
  const low = marks[0] ?? 0;
  const scale = marks.length / ((marks.at(-1) ?? 0) - low);
  if (marks.length < fewMarks || !Number.isFinite(scale) || scale === 0) return undefined;
  const last = marks.length - 1;
  const starts = new Uint32Array(last + 2).fill(marks.length);
  for (let place = last; place >= 0; place -= 1)
    starts[Math.min(Math.floor(((marks[place] ?? 0) - low) * scale), last)] = place;
  for (let bin = last; bin >= 0; bin -= 1) starts[bin] = Math.min(starts[bin] ?? 0, starts[bin + 1] ?? 0);
  return { low, scale, last, starts };
}

/**
 * @param marks - in ascending order
 * @returns a function that finds the place of the first mark that isn't below a value
 */
export function searchIn(marks: Float64Array): (value: number) => number {
  const bins = binsOf(marks);
  return (value) => {
    const bin =
      bins === undefined ? 0 : Math.min(Math.max(Math.floor((value - bins.low) * bins.scale), 0), bins.last);
    let low = bins?.starts[bin] ?? 0;
    let high = bins?.starts[bin + 1] ?? marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((marks[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
