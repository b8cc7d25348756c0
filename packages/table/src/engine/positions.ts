import type { Axis, Ranges } from "./axis.js";
import type { FieldValue } from "./field-value.js";

/**
 * A value as a number that intervals have or haven't: of an ordered column the value itself, which must not be looked up among
 * thousands of others; of others its class. No value, and one that the type doesn't cover, lie beyond all numbers.
 */
export function positionOf(axis: Axis, value: FieldValue): number {
  if (!axis.isOrdered) return axis.classOf(value);
  return typeof value === "number" ? value : value === null ? Infinity : -Infinity;
}

/** The positions that meet a condition, or a few more: both ends are in. */
export interface Span {
  readonly low: number;
  readonly high: number;
  /** Whether there are no more. */
  readonly isExact: boolean;
}

export function spanOf(axis: Axis, ranges: Ranges): Span {
  const first = ranges[0] ?? 1;
  const last = ranges.at(-1) ?? 0;
  if (!axis.isOrdered) return { low: first, high: last, isExact: ranges.length <= 2 };
  if (ranges.length === 0) return { low: 1, high: 0, isExact: true };
  const { foreign } = axis;
  const hasNull = last > foreign;
  const hasForeign = contains(ranges, foreign);
  const values = numbersIn(ranges, foreign);
  const [from, to] = [values[0], values.at(-1)];
  if (from === undefined || to === undefined)
    return {
      low: hasForeign ? -Infinity : Infinity,
      high: hasNull ? Infinity : -Infinity,
      isExact: hasForeign !== hasNull,
    };
  return {
    low: hasForeign ? -Infinity : lowest(axis, from),
    high: hasNull ? Infinity : highest(axis, to),
    isExact: values.length === 2 && (!hasForeign || from === 0) && (!hasNull || to === foreign - 1),
  };
}

function contains(ranges: Ranges, own: number): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if ((ranges[at] ?? 0) <= own && own <= (ranges[at + 1] ?? 0)) return true;
  return false;
}

/** The ranges without the classes of what isn't a number. */
function numbersIn(ranges: Ranges, foreign: number): Ranges {
  const found: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const from = ranges[at] ?? 0;
    if (from < foreign) found.push(from, Math.min(ranges[at + 1] ?? 0, foreign - 1));
  }
  return found;
}

/** The first number of a class. */
export function lowest({ marks }: Axis, own: number): number {
  if (own === 0) return -Number.MAX_VALUE;
  const mark = Number(marks[(own - 1) >>> 1]);
  return own % 2 === 1 ? mark : after(mark);
}

/** The last one. */
function highest({ marks }: Axis, own: number): number {
  if (own === 2 * marks.length) return Number.MAX_VALUE;
  const mark = Number(marks[own >>> 1]);
  return own % 2 === 1 ? mark : -after(-mark);
}

const cell = new DataView(new ArrayBuffer(8));

/** The next double. */
function after(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  cell.setFloat64(0, value);
  cell.setBigInt64(0, cell.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return cell.getFloat64(0);
}
