import type { ColumnType, Scalar } from "../cells/condition.js";

/**
 * The value of a cell's field: a scalar, `null` where the input has none, or `undefined` where it has something that the column's
 * type doesn't cover. Such a value meets only `-` and negations of tests that it fails.
 */
export type FieldValue = Scalar | null | undefined;

/** Reads own properties only: an input may have members such as `__proto__`. */
export function fieldAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    // Holds: every object that isn't null can be read by a name that it owns.
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A value on the axis of a column. */
export function fieldValue(type: ColumnType, value: unknown): FieldValue {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "text":
      return typeof value === "string" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "date":
      return value instanceof Date ? wholeDays(value) : typeof value === "string" ? dayOf(value) : undefined;
    case "date-time":
      return value instanceof Date ? finite(value.getTime()) : instantOf(value);
    case "duration":
      return durationOf(value);
  }
}

const dayMs = 86_400_000;

function wholeDays(date: Date): number | undefined {
  const ms = finite(date.getTime());
  return ms === undefined ? undefined : Math.floor(ms / dayMs);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Days since 1970-01-01. */
function dayOf(text: string): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (found === null) return undefined;
  const ms = utc(found.slice(1, 4));
  return ms === undefined ? undefined : ms / dayMs;
}

/** @param parts - year, month from 1, day */
function utc(parts: readonly (string | undefined)[]): number | undefined {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  // Years below 100 would be read as those of the twentieth century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

const instant =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** Milliseconds since the Unix epoch. Digits beyond them are cut off. */
function instantOf(value: unknown): number | undefined {
  const found = typeof value === "string" ? instant.exec(value) : null;
  if (found === null) return undefined;
  const [, , , , hour, minute, second = "0", fraction = "", sign, offsetHour = "0", offsetMinute = "0"] =
    found;
  const day = utc(found.slice(1, 4));
  if (day === undefined || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  const seconds = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second);
  return day + seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

const duration = /^(-?)P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds. Years and months have no fixed length. */
function durationOf(value: unknown): number | undefined {
  const found = typeof value === "string" ? duration.exec(value) : null;
  if (found === null) return undefined;
  const [, sign, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] = found;
  const whole = ((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 60 + Number(minutes);
  const ms = Math.trunc(whole * 60_000 + Number(seconds) * 1000);
  return finite(sign === "-" ? 0 - ms : ms);
}
