import { DaysDuration, MonthsDuration } from "./durations.js";
import type { Run } from "./run.js";
import { FeelDate, FeelDateTime, FeelTime } from "./temporal.js";
import {
  type FeelContext,
  type FeelList,
  FeelRange,
  type FeelValue,
  isContext,
  isList,
  kindOf,
  zoneOf,
} from "./value.js";

/**
 * @returns null if the values can't be compared, because they are of different kinds
 * @throws LimitError
 */
export function equals(a: FeelValue, b: FeelValue, run: Run): boolean | null {
  run.tick();
  if (a === null || b === null) return a === b;
  if (typeof a === "string" && typeof b === "string") {
    run.tick(Math.min(a.length, b.length) >> 5);
    return a === b;
  }
  if (typeof a === "number" && typeof b === "number") return a === b;
  if (isList(a) && isList(b)) return equalLists(a, b, run);
  if (isContext(a) && isContext(b)) return equalContexts(a, b, run);
  if (a instanceof FeelRange && b instanceof FeelRange) return equalRanges(a, b, run);
  const order = compare(a, b, run);
  if (order !== undefined) return order === 0;
  return kindOf(a) === kindOf(b) ? a === b : null;
}

function equalLists(a: FeelList, b: FeelList, run: Run): boolean {
  return a.length === b.length && a.every((item, index) => equals(item, b[index] ?? null, run) === true);
}

function equalContexts(a: FeelContext, b: FeelContext, run: Run): boolean {
  if (a.size !== b.size) return false;
  for (const [name, value] of a) {
    const other = b.get(name);
    if (other === undefined || equals(value, other, run) !== true) return false;
  }
  return true;
}

function equalRanges(a: FeelRange, b: FeelRange, run: Run): boolean {
  if (a.startIncluded !== b.startIncluded || a.endIncluded !== b.endIncluded) return false;
  if (a.isPoint !== b.isPoint) return false;
  return (
    equals(a.start ?? null, b.start ?? null, run) === true &&
    equals(a.end ?? null, b.end ?? null, run) === true
  );
}

/**
 * The order of two values: negative, zero or positive.
 *
 * @returns undefined if they have none
 */
export function compare(a: FeelValue, b: FeelValue, run: Run): number | undefined {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b, run);
  if (a instanceof FeelDate && b instanceof FeelDate) return a.epochDay - b.epochDay;
  if (isZoned(a, run) !== isZoned(b, run)) return undefined;
  if (a instanceof FeelDateTime && b instanceof FeelDateTime) return sign(millis(a) - millis(b));
  if (a instanceof FeelTime && b instanceof FeelTime) return sign(a.nanosOfDay - b.nanosOfDay);
  if (a instanceof DaysDuration && b instanceof DaysDuration) return sign(a.nanos - b.nanos);
  if (a instanceof MonthsDuration && b instanceof MonthsDuration) return a.months - b.months;
  return undefined;
}

/** Local times have no order with those of a zone. */
function isZoned(value: FeelValue, run: Run): boolean {
  const zone = zoneOf(value);
  run.tick(zone?.steps ?? 0);
  return zone !== undefined;
}

/** Date-times are the same within a millisecond. */
function millis({ nanos }: FeelDateTime): bigint {
  return (nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n;
}

function sign(difference: bigint): number {
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** By code points. */
function compareTexts(a: string, b: string, run: Run): number {
  const length = Math.min(a.length, b.length);
  run.tick(length >> 5);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // A surrogate stands for what is above all other code units.
    const isLeftPair = left >= 0xd800 && left < 0xe000;
    const isRightPair = right >= 0xd800 && right < 0xe000;
    if (isLeftPair !== isRightPair) return isLeftPair ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}

/** Whether a value is in a range. @returns null if it can't be compared with an end */
export function isWithin(value: FeelValue, range: FeelRange, run: Run): boolean | null {
  run.tick();
  const { start, end, startIncluded, endIncluded } = range;
  const fromStart = start === undefined ? 1 : compare(value, start, run);
  const toEnd = end === undefined ? -1 : compare(value, end, run);
  if (fromStart !== undefined && (startIncluded ? fromStart < 0 : fromStart <= 0)) return false;
  if (toEnd !== undefined && (endIncluded ? toEnd > 0 : toEnd >= 0)) return false;
  return fromStart === undefined || toEnd === undefined ? null : true;
}
