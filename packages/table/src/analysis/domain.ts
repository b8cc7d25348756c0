import type { Bound, Column, Interval } from "../cells/condition.js";
import { isWithin } from "../engine/value-set.js";

/** Which end of an interval a value is next to. */
export type End = "low" | "high";

/**
 * A value of an ordered column that lies in an interval, and that the input schema allows.
 *
 * @param near - the end that it is next to. @default a value that is easy to read
 * @returns `undefined` if there is none
 */
export function sampleIn(interval: Interval, column: Column, near?: End): number | undefined {
  const within = narrowed(narrowed(interval, column.minimum, "low"), column.maximum, "high");
  const { members } = column;
  if (members !== undefined) {
    const inside = members.filter(
      (member): member is number => typeof member === "number" && isWithin(member, within),
    );
    if (near === undefined || inside.length === 0) return inside[0];
    return near === "low" ? Math.min(...inside) : Math.max(...inside);
  }
  const step = stepOf(column);
  if (step !== undefined) return multipleIn(within, step, near);
  return (near === undefined ? undefined : nextTo(within, near)) ?? anyIn(within);
}

function narrowed(interval: Interval, bound: Bound | undefined, side: "low" | "high"): Interval {
  if (bound === undefined) return interval;
  const { value, isClosed } = bound;
  if (side === "low") {
    const isTighter = value > interval.low || (value === interval.low && interval.isLowClosed && !isClosed);
    return isTighter || interval.low === -Infinity
      ? { ...interval, low: value, isLowClosed: isClosed }
      : interval;
  }
  const isTighter = value < interval.high || (value === interval.high && interval.isHighClosed && !isClosed);
  return isTighter || interval.high === Infinity
    ? { ...interval, high: value, isHighClosed: isClosed }
    : interval;
}

/** The distance between neighbouring values; `undefined` where all doubles are values. Days and milliseconds are whole. */
function stepOf({ type, isInteger, multipleOf }: Column): number | undefined {
  const isWhole = isInteger || type !== "number";
  if (multipleOf === undefined || multipleOf <= 0) return isWhole ? 1 : undefined;
  if (!isWhole || Number.isInteger(multipleOf)) return multipleOf;
  // Whole numbers that are multiples of a fraction: the first of its multiples that is whole.
  for (let times = 1; times <= 1000; times += 1) {
    const multiple = timesStep(times, multipleOf);
    if (Number.isInteger(multiple)) return multiple;
  }
  return multipleOf;
}

/** As decimals: 3 times 0.1 is 0.3. */
function timesStep(times: number, step: number): number {
  return Number((times * step).toPrecision(15)) + 0;
}

function multipleIn(interval: Interval, step: number, near: End = "low"): number | undefined {
  const { low, high } = interval;
  if (low === -Infinity && high === Infinity) return 0;
  const isFromHigh = high !== Infinity && (near === "high" || low === -Infinity);
  const first = isFromHigh ? Math.floor(high / step) : Math.ceil(low / step);
  // Division is off by less than one.
  const tries = isFromHigh ? [1, 0, -1, -2] : [-1, 0, 1, 2];
  return tries.map((by) => timesStep(first + by, step)).find((value) => isWithin(value, interval));
}

/** Next to an end, by one of the last decimals that tables are written with; `undefined` where there is no end, or no such value. */
function nextTo(interval: Interval, end: End): number | undefined {
  const { low, isLowClosed, high, isHighClosed } = interval;
  if (end === "low" ? isLowClosed : isHighClosed) return end === "low" ? low : high;
  for (let decimals = 2; decimals <= 15; decimals += 1) {
    const away = 10 ** -decimals;
    const value = Number((end === "low" ? low + away : high - away).toPrecision(15));
    if (isWithin(value, interval)) return value + 0;
  }
  return undefined;
}

function anyIn(interval: Interval): number | undefined {
  const { low, isLowClosed, high, isHighClosed } = interval;
  if (isLowClosed && isWithin(low, interval)) return low;
  if (isHighClosed && isWithin(high, interval)) return high;
  const middle = middleOf(low, high);
  // The shortest decimal that lies between.
  for (let digits = 1; digits <= 17; digits += 1) {
    const value = Number(middle.toPrecision(digits));
    if (Number.isFinite(value) && isWithin(value, interval)) return value + 0;
  }
  return undefined;
}

function middleOf(low: number, high: number): number {
  if (low === -Infinity) return high === Infinity ? 0 : high - Math.max(1, Math.abs(high) / 2);
  return high === Infinity ? low + Math.max(1, Math.abs(low) / 2) : low / 2 + high / 2;
}
