import { calculate } from "@decern/core/tools";
import { dayOfWeek } from "../values/calendar.js";
import { DaysDuration, MonthsDuration } from "../values/durations.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import { FeelRange, type FeelValue, isContext } from "../values/value.js";
import { entryOf } from "./scope.js";

/** @returns undefined for a property that the value lacks */
export function propertyOf(value: FeelValue, name: string): FeelValue | undefined {
  if (isContext(value)) return entryOf(value, name);
  if (value instanceof FeelDate) return ofDate(value, name);
  if (value instanceof FeelTime) return ofTime(value, value.zone?.offset, name);
  if (value instanceof FeelDateTime)
    return ofDate(value.date, name) ?? ofTime(value.time, value.offset, name);
  if (value instanceof DaysDuration) return ofDays(value, name);
  if (value instanceof MonthsDuration) {
    if (name === "years") return Math.trunc(value.months / 12) + 0;
    return name === "months" ? (value.months % 12) + 0 : undefined;
  }
  return value instanceof FeelRange ? ofRange(value, name) : undefined;
}

function ofDate(date: FeelDate, name: string): FeelValue | undefined {
  if (name === "year") return date.year;
  if (name === "month") return date.month;
  if (name === "day") return date.day;
  return name === "weekday" ? dayOfWeek(date.epochDay) : undefined;
}

function ofTime(time: FeelTime, offset: number | undefined, name: string): FeelValue | undefined {
  if (name === "hour") return time.hour;
  if (name === "minute") return time.minute;
  if (name === "second") return secondsOf(time.second, time.nanos);
  if (name === "time offset")
    return offset === undefined ? null : DaysDuration.of(BigInt(offset) * 1_000_000_000n);
  if (name !== "timezone") return undefined;
  return time.zone?.text.startsWith("@") === true ? time.zone.text.slice(1) : null;
}

function ofDays(duration: DaysDuration, name: string): FeelValue | undefined {
  const { days, hours, minutes, seconds, nanos } = duration.parts;
  if (name === "days") return days;
  if (name === "hours") return hours;
  if (name === "minutes") return minutes;
  return name === "seconds" ? secondsOf(seconds, nanos) : undefined;
}

function secondsOf(seconds: number, nanos: number): number {
  return calculate("+", seconds, nanos / 1e9);
}

function ofRange(range: FeelRange, name: string): FeelValue | undefined {
  if (name === "start") return range.start ?? null;
  if (name === "end") return range.end ?? null;
  if (name === "start included") return range.startIncluded;
  return name === "end included" ? range.endIncluded : undefined;
}
