import type {
  Column,
  ColumnType,
  Condition,
  Endpoint,
  Interval,
  Test,
  ValueSet,
} from "../cells/condition.js";
import { isOrdered, valueAt } from "../cells/scalar.js";
import { type FieldValue, fieldValue } from "./field-value.js";

/** Stands for a profile that isn't known yet. */
export const unbound: unique symbol = Symbol("unbound");

/**
 * The values that meet a condition.
 *
 * @param profile - or {@link unbound}
 * @returns `undefined` if that depends on the input or an unknown profile, or can't be said as a set: texts compared by order
 */
export function valueSetOf(condition: Condition, column: Column, profile: unknown): ValueSet | undefined {
  const none = emptySet(column.type);
  if (condition.kind === "any") return complement(none);
  const met: ValueSet[] = [];
  for (const test of condition.tests) {
    const set = setOfTest(test, column, profile);
    if (set === undefined) return undefined;
    met.push(set);
  }
  const [only = none] = met;
  const union = met.length > 1 ? unionOf(met) : only;
  return condition.isNegated ? complement(union) : union;
}

/** Whether a value that the column's type doesn't cover meets a condition. */
export function isMetByForeign(condition: Condition): boolean {
  return condition.kind === "any" || condition.isNegated;
}

function emptySet(type: ColumnType): ValueSet {
  return isOrdered(type)
    ? ofIntervals([])
    : { kind: "values", values: new Set(), isComplement: false, hasNull: false };
}

function ofIntervals(intervals: readonly Interval[], hasNull = false): ValueSet {
  return { kind: "intervals", intervals, hasNull };
}

function setOfTest(test: Test, column: Column, profile: unknown): ValueSet | undefined {
  if (test.kind === "null") return { ...emptySet(column.type), hasNull: true };
  if (test.kind === "interval") {
    const low = endpointValue(test.low, column, profile);
    const high = endpointValue(test.high, column, profile);
    if (low === depends || high === depends) return undefined;
    if (isAbsent(low) || isAbsent(high)) return emptySet(column.type);
    if (typeof low !== "number" || typeof high !== "number") return undefined;
    return ofIntervals(
      withoutEmpty([{ low, isLowClosed: test.isLowClosed, high, isHighClosed: test.isHighClosed }]),
    );
  }
  const value = endpointValue(test.endpoint, column, profile);
  if (value === depends) return undefined;
  if (isAbsent(value)) return emptySet(column.type);
  const { operator } = test;
  if (typeof value === "number") {
    const below = { low: -Infinity, isLowClosed: false, high: value, isHighClosed: false };
    const above = { low: value, isLowClosed: false, high: Infinity, isHighClosed: false };
    if (operator === "<") return ofIntervals([below]);
    if (operator === "<=") return ofIntervals([{ ...below, isHighClosed: true }]);
    if (operator === ">") return ofIntervals([above]);
    if (operator === ">=") return ofIntervals([{ ...above, isLowClosed: true }]);
    if (operator === "!=") return ofIntervals([below, above]);
    return ofIntervals([{ low: value, isLowClosed: true, high: value, isHighClosed: true }]);
  }
  if (operator !== "=" && operator !== "!=") return undefined;
  return { kind: "values", values: new Set([value]), isComplement: operator === "!=", hasNull: false };
}

const depends: unique symbol = Symbol("depends");

function endpointValue(endpoint: Endpoint, column: Column, profile: unknown): FieldValue | typeof depends {
  if (endpoint.kind === "literal") return endpoint.value;
  if (endpoint.root === "input" || profile === unbound) return depends;
  return fieldValue(column.type, valueAt(profile, endpoint.path));
}

function isAbsent(value: FieldValue): value is null | undefined {
  return value === null || value === undefined;
}

export function unionOf(sets: readonly ValueSet[]): ValueSet {
  const hasNull = sets.some((set) => set.hasNull);
  const intervals: Interval[] = [];
  const values = new Set<string | number | boolean>();
  /** Values that every complement lacks. */
  let lacked: ReadonlySet<string | number | boolean> | undefined;
  for (const set of sets) {
    if (set.kind === "intervals") for (const interval of set.intervals) intervals.push(interval);
    else if (!set.isComplement) for (const value of set.values) values.add(value);
    else
      lacked =
        lacked === undefined ? set.values : new Set([...lacked].filter((value) => set.values.has(value)));
  }
  if (sets[0]?.kind === "intervals") return ofIntervals(merged(intervals), hasNull);
  if (lacked === undefined) return { kind: "values", values, isComplement: false, hasNull };
  const others = new Set([...lacked].filter((value) => !values.has(value)));
  return { kind: "values", values: others, isComplement: true, hasNull };
}

export function complement(set: ValueSet): ValueSet {
  if (set.kind === "values") return { ...set, isComplement: !set.isComplement, hasNull: !set.hasNull };
  const gaps: Interval[] = [];
  let low = -Infinity;
  let isLowClosed = false;
  for (const interval of set.intervals) {
    gaps.push({ low, isLowClosed, high: interval.low, isHighClosed: !interval.isLowClosed });
    low = interval.high;
    isLowClosed = !interval.isHighClosed;
  }
  gaps.push({ low, isLowClosed, high: Infinity, isHighClosed: false });
  return ofIntervals(withoutEmpty(gaps), !set.hasNull);
}

/** Both sets are of one column. */
export function intersection(one: ValueSet, other: ValueSet): ValueSet {
  return complement(unionOf([complement(one), complement(other)]));
}

export function isEmpty(set: ValueSet): boolean {
  if (set.hasNull) return false;
  return set.kind === "intervals" ? set.intervals.length === 0 : !set.isComplement && set.values.size === 0;
}

/** @param value - `null` for none */
export function hasValue(set: ValueSet, value: string | number | boolean | null): boolean {
  if (value === null) return set.hasNull;
  if (set.kind === "values") return set.values.has(value) !== set.isComplement;
  return typeof value === "number" && set.intervals.some((interval) => isWithin(value, interval));
}

export function isWithin(value: number, { low, isLowClosed, high, isHighClosed }: Interval): boolean {
  return (isLowClosed ? value >= low : value > low) && (isHighClosed ? value <= high : value < high);
}

/** Whether an interval has an end that others lie beyond, or is one point. Which doubles lie between is left to samples. */
function withoutEmpty(intervals: readonly Interval[]): readonly Interval[] {
  return intervals.filter(
    ({ low, isLowClosed, high, isHighClosed }) =>
      low < high || (low === high && isLowClosed && isHighClosed && Number.isFinite(low)),
  );
}

function merged(intervals: readonly Interval[]): readonly Interval[] {
  if (intervals.length < 2) return intervals;
  const sorted = intervals.toSorted(
    (one, other) => one.low - other.low || Number(other.isLowClosed) - Number(one.isLowClosed),
  );
  const list: Interval[] = [];
  for (const next of sorted) {
    const last = list.at(-1);
    const touches =
      last !== undefined &&
      (next.low < last.high || (next.low === last.high && (next.isLowClosed || last.isHighClosed)));
    if (!touches) list.push(next);
    else if (next.high > last.high)
      list[list.length - 1] = { ...last, high: next.high, isHighClosed: next.isHighClosed };
    else if (next.high === last.high && next.isHighClosed)
      list[list.length - 1] = { ...last, isHighClosed: true };
  }
  return list;
}
