import { calculate } from "@decern/core/tools";
import type { ArithmeticOperator } from "../syntax/node.js";
import { DaysDuration, MonthsDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import { decimalOf } from "../values/text.js";
import { type FeelValue, zoneOf } from "../values/value.js";

/**
 * @returns undefined for operands that the operator does not have, and for a result that does not exist
 * @throws LimitError
 */
export function operate(
  operator: ArithmeticOperator,
  a: FeelValue,
  b: FeelValue,
  run: Run,
): FeelValue | undefined {
  if (a === null || b === null) return undefined;
  if (typeof a === "number" && typeof b === "number") {
    // Up to a hundred multiplications of long numbers.
    if (operator === "**") run.tick(100);
    return ofNumbers(operator, a, b);
  }
  run.tick((zoneOf(a)?.steps ?? 0) + (zoneOf(b)?.steps ?? 0));
  switch (operator) {
    case "+":
      return plus(a, b, run);
    case "-":
      return minus(a, b);
    case "*":
      return typeof b === "number" ? times(a, b) : typeof a === "number" ? times(b, a) : undefined;
    case "/":
      return dividedBy(a, b);
    default:
      return undefined;
  }
}

function ofNumbers(operator: ArithmeticOperator, a: number, b: number): number | undefined {
  try {
    return calculate(operator, a, b);
  } catch (error) {
    // Division by zero, and results that are too large.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function plus(a: FeelValue, b: FeelValue, run: Run): FeelValue | undefined {
  if (typeof a === "string" && typeof b === "string") {
    run.textLength(a.length + b.length);
    return a + b;
  }
  if (a instanceof DaysDuration) {
    if (b instanceof DaysDuration) return DaysDuration.of(a.nanos + b.nanos);
    return b instanceof DaysDuration || b instanceof MonthsDuration ? undefined : moved(b, a, 1);
  }
  if (a instanceof MonthsDuration) {
    if (b instanceof MonthsDuration) return MonthsDuration.of(a.months + b.months);
    return b instanceof DaysDuration ? undefined : moved(b, a, 1);
  }
  return moved(a, b, 1);
}

function minus(a: FeelValue, b: FeelValue): FeelValue | undefined {
  if (a instanceof DaysDuration && b instanceof DaysDuration) return DaysDuration.of(a.nanos - b.nanos);
  if (a instanceof MonthsDuration && b instanceof MonthsDuration)
    return MonthsDuration.of(a.months - b.months);
  if (a instanceof FeelTime && b instanceof FeelTime) return DaysDuration.of(a.nanosOfDay - b.nanosOfDay);
  const left = asDateTime(a);
  const right = asDateTime(b);
  if (left === undefined || right === undefined) return moved(a, b, -1);
  const isMixed = (zoneOf(left) === undefined) !== (zoneOf(right) === undefined);
  return isMixed ? undefined : DaysDuration.of(left.nanos - right.nanos);
}

function asDateTime(value: FeelValue): FeelDateTime | undefined {
  if (value instanceof FeelDate) return FeelDateTime.ofDate(value);
  return value instanceof FeelDateTime ? value : undefined;
}

/** A date or time plus or minus a duration. */
function moved(value: FeelValue, by: FeelValue, direction: 1 | -1): FeelValue | undefined {
  if (by instanceof MonthsDuration)
    return value instanceof FeelDate || value instanceof FeelDateTime
      ? value.plusMonths(by.months * direction)
      : undefined;
  const duration = by instanceof DaysDuration ? DaysDuration.of(by.nanos * BigInt(direction)) : undefined;
  if (duration === undefined) return undefined;
  if (value instanceof FeelTime || value instanceof FeelDateTime) return value.plus(duration);
  return value instanceof FeelDate ? FeelDateTime.ofDate(value).plus(duration)?.date : undefined;
}

function times(value: FeelValue, factor: number): FeelValue | undefined {
  if (value instanceof MonthsDuration) return monthsOf(ofNumbers("*", value.months, factor));
  if (!(value instanceof DaysDuration)) return undefined;
  const { whole, places } = decimalOf(factor);
  return DaysDuration.of(nearest(value.nanos * whole, 10n ** BigInt(places)));
}

function dividedBy(a: FeelValue, b: FeelValue): FeelValue | undefined {
  if (a instanceof MonthsDuration) {
    if (b instanceof MonthsDuration) return ofNumbers("/", a.months, b.months);
    return typeof b === "number" ? monthsOf(ofNumbers("/", a.months, b)) : undefined;
  }
  if (!(a instanceof DaysDuration)) return undefined;
  if (b instanceof DaysDuration) return ofNumbers("/", Number(a.nanos), Number(b.nanos));
  if (typeof b !== "number" || b === 0) return undefined;
  const { whole, places } = decimalOf(b);
  return DaysDuration.of(nearest(a.nanos * 10n ** BigInt(places), whole));
}

/** Whole months. */
function monthsOf(months: number | undefined): MonthsDuration | undefined {
  return months === undefined ? undefined : MonthsDuration.of(Math.trunc(months));
}

/** A quotient as the nearest whole number; halves are rounded away from zero. */
function nearest(dividend: bigint, divisor: bigint): bigint {
  const [up, down] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const size = (2n * up + down) / (2n * down);
  return dividend < 0n === divisor < 0n ? size : -size;
}

/** @returns undefined for what has no sign */
export function negated(value: FeelValue): FeelValue | undefined {
  if (typeof value === "number") return value === 0 ? 0 : -value;
  if (value instanceof DaysDuration) return DaysDuration.of(-value.nanos);
  return value instanceof MonthsDuration ? MonthsDuration.of(-value.months) : undefined;
}
