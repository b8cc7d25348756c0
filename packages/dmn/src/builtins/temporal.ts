import { dayOfWeek, epochDay, weekOfYear } from "../values/calendar.js";
import { equals } from "../values/compare.js";
import { type DaysDuration, MonthsDuration, parseDuration } from "../values/durations.js";
import type { Run } from "../values/run.js";
import { FeelDate, FeelDateTime, FeelTime } from "../values/temporal.js";
import { FeelRange, type FeelValue, isContext, isList, kindOf, zoneOf } from "../values/value.js";
import { Zone } from "../values/zone.js";
import { builtIn, overload } from "./define.js";

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A zone by its name is looked up in a database. */
function counted(text: string, run: Run): string {
  run.tick(text.includes("@") ? 200 : 1);
  return run.text(text);
}

function zoneOfOffset(offset: DaysDuration | null): Zone | undefined {
  return offset === null ? undefined : Zone.ofOffset(offset.totalSeconds);
}

function timeOf(
  hour: number,
  minute: number,
  second: number,
  offset: DaysDuration | null,
): FeelTime | undefined {
  const zone = zoneOfOffset(offset);
  return offset !== null && zone === undefined ? undefined : FeelTime.of(hour, minute, second, zone);
}

function dateTimeOf(date: FeelDate | undefined, time: FeelTime | undefined): FeelDateTime | undefined {
  return date === undefined || time === undefined ? undefined : new FeelDateTime(date, time);
}

/** Whole months from one date to the other; the time of day does not count. */
function monthsBetween(from: FeelDate, to: FeelDate): MonthsDuration | undefined {
  const total = (to.year - from.year) * 12 + to.month - from.month;
  const rest = to.day - from.day;
  if (total > 0 && rest < 0) return MonthsDuration.of(total - 1);
  return MonthsDuration.of(total < 0 && rest > 0 ? total + 1 : total);
}

function ofDate(name: string, result: "number" | "string", body: (date: FeelDate) => FeelValue | undefined) {
  return builtIn(
    name,
    result,
    overload([["date", "date"]], ([date]) => body(date)),
    overload([["date", "date and time"]], ([{ date }]) => body(date)),
  );
}

/** Equal, and of the same kind and zone: `is(time("10:00:00Z"), time("12:00:00+02:00"))` is false. */
function isIdentical(a: FeelValue, b: FeelValue, run: Run): boolean {
  if (kindOf(a) !== kindOf(b)) return false;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((item, index) => isIdentical(item, b[index] ?? null, run));
  if (isContext(a) && isContext(b))
    return (
      a.size === b.size &&
      [...a].every(([name, value]) => b.has(name) && isIdentical(value, b.get(name) ?? null, run))
    );
  if (a instanceof FeelRange || !(a instanceof FeelTime || a instanceof FeelDateTime))
    return equals(a, b, run) === true;
  return `${a}` === `${b}` || (zoneOf(a)?.text === zoneOf(b)?.text && equals(a, b, run) === true);
}

export const temporalFunctions = [
  builtIn(
    "date",
    "date",
    overload([["from", "string"]], ([from]) => FeelDate.parse(from)),
    overload([["from", "date"]], ([from]) => from),
    overload([["from", "date and time"]], ([from]) => from.date),
    overload(
      [
        ["year", "number"],
        ["month", "number"],
        ["day", "number"],
      ],
      ([year, month, day]) => FeelDate.of(year, month, day),
    ),
  ),
  builtIn(
    "time",
    "time",
    overload([["from", "string"]], ([from], run) => FeelTime.parse(counted(from, run))),
    overload([["from", "time"]], ([from]) => from),
    overload([["from", "date"]], ([from]) => FeelDateTime.ofDate(from).time),
    overload([["from", "date and time"]], ([from]) => from.time),
    overload(
      [
        ["hour", "number"],
        ["minute", "number"],
        ["second", "number"],
        ["offset", "days and time duration?"],
      ],
      ([hour, minute, second, offset]) => timeOf(hour, minute, second, offset),
    ),
  ),
  builtIn(
    "date and time",
    "date and time",
    overload([["from", "string"]], ([from], run) => FeelDateTime.parse(counted(from, run))),
    overload([["from", "date and time"]], ([from]) => from),
    overload([["from", "date"]], ([from]) => FeelDateTime.ofDate(from)),
    overload(
      [
        ["date", "date"],
        ["time", "time"],
      ],
      ([date, time]) => new FeelDateTime(date, time),
    ),
    overload(
      [
        ["date", "date and time"],
        ["time", "time"],
      ],
      ([{ date }, time]) => new FeelDateTime(date, time),
    ),
    overload(
      [
        ["date", "date and time"],
        ["timezone", "string"],
      ],
      ([dateTime, timezone]) => {
        const zone = Zone.named(timezone) ?? Zone.parse(timezone);
        return zone === undefined ? undefined : dateTime.inZone(zone);
      },
    ),
    overload(
      [
        ["year", "number"],
        ["month", "number"],
        ["day", "number"],
        ["hour", "number"],
        ["minute", "number"],
        ["second", "number"],
        ["offset", "days and time duration?"],
      ],
      ([year, month, day, hour, minute, second, offset]) =>
        dateTimeOf(FeelDate.of(year, month, day), timeOf(hour, minute, second, offset)),
    ),
    overload(
      [
        ["year", "number"],
        ["month", "number"],
        ["day", "number"],
        ["hour", "number"],
        ["minute", "number"],
        ["second", "number"],
        ["timezone", "string"],
      ],
      ([year, month, day, hour, minute, second, timezone]) => {
        const zone = Zone.named(timezone) ?? Zone.parse(timezone);
        if (zone === undefined) return undefined;
        return dateTimeOf(FeelDate.of(year, month, day), FeelTime.of(hour, minute, second, zone));
      },
    ),
  ),
  builtIn(
    "duration",
    "any",
    overload([["from", "string"]], ([from]) => parseDuration(from)),
    overload([["from", "days and time duration"]], ([from]) => from),
    overload([["from", "years and months duration"]], ([from]) => from),
  ),
  builtIn(
    "years and months duration",
    "years and months duration",
    overload(
      [
        ["from", "date"],
        ["to", "date"],
      ],
      ([from, to]) => monthsBetween(from, to),
    ),
    overload(
      [
        ["from", "date and time"],
        ["to", "date and time"],
      ],
      ([from, to]) => monthsBetween(from.date, to.date),
    ),
  ),
  ofDate("day of year", "number", (date) => date.epochDay - epochDay(date.year, 1, 1) + 1),
  ofDate("day of week", "string", (date) => weekdays[dayOfWeek(date.epochDay) - 1]),
  ofDate("month of year", "string", (date) => months[date.month - 1]),
  ofDate("week of year", "number", (date) => weekOfYear(date.epochDay)),
  builtIn(
    "is",
    "boolean",
    overload(
      [
        ["value1", "any"],
        ["value2", "any"],
      ],
      ([a, b], run) => isIdentical(a, b, run),
    ),
  ),
  builtIn(
    "now",
    "date and time",
    overload([], (_args, run) => FeelDateTime.ofInstant(run.now)),
  ),
  builtIn(
    "today",
    "date",
    overload([], (_args, run) => FeelDateTime.ofInstant(run.now)?.date),
  ),
];
