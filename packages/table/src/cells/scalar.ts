import { dayOf } from "@decern/core/schema";
import type { ColumnType, Scalar } from "./condition.js";

const dayMs = 86_400_000;

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d+))?)?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Milliseconds since the Unix epoch; `undefined` for text that isn't a date-time with an offset. */
export function instantOf(text: string): number | undefined {
  const [, day = "", hours, minutes, seconds = "0", fraction = "", , sign, offsetHours = "0", offset = "0"] =
    instantPattern.exec(text) ?? [];
  const days = dayOf(day);
  if (days === undefined) return undefined;
  const offsetMinutes = (sign === "-" ? -1 : 1) * (Number(offsetHours) * 60 + Number(offset));
  const minutesOfDay = Number(hours) * 60 + Number(minutes) - offsetMinutes;
  const milliseconds = Number(`${seconds}.${fraction.slice(0, 3)}`) * 1000;
  return days * dayMs + minutesOfDay * 60_000 + Math.round(milliseconds);
}

const durationPattern =
  /^(-)?P(?=\d|T\d)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds; `undefined` for text that isn't an ISO 8601 duration, or has years or months, whose length varies. */
export function durationOf(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (match === null) return undefined;
  const [, sign, years, months, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  if (years !== undefined || months !== undefined) return undefined;
  const hoursInAll = (Number(weeks) * 7 + Number(days)) * 24 + Number(hours);
  const ms = hoursInAll * 3_600_000 + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1000);
  return sign === undefined ? ms : -ms;
}

/**
 * Where a JSON value stands on the axis of a column.
 *
 * @returns `undefined` for a value of another type, and for text that isn't of the column's format
 */
export function scalarOf(type: ColumnType, value: unknown): Scalar | undefined {
  switch (type) {
    case "number":
      return typeof value === "number" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "text":
      return typeof value === "string" ? value : undefined;
    case "date":
      return typeof value === "string" ? dayOf(value) : undefined;
    case "date-time":
      return typeof value === "string" ? instantOf(value) : undefined;
    case "duration":
      return typeof value === "string" ? durationOf(value) : undefined;
  }
}

/** Columns whose values have an order that conditions can use. */
export function isOrdered(type: ColumnType): boolean {
  return type !== "text" && type !== "boolean";
}

/** What a column holds, for messages. */
export const typeNames: Readonly<Record<ColumnType, string>> = {
  number: "numbers",
  text: "texts",
  boolean: "true or false",
  date: "dates",
  "date-time": "date-times",
  duration: "durations",
};

/** The value at a path; `undefined` where a member is missing on the way. Own members only. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}
