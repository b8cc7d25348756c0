import type { ColumnType, Scalar } from "../cells/condition.js";
import { scalarOf } from "../cells/scalar.js";

/**
 * The value of an input's field: a scalar, `null` where the input has none, or `undefined` where it has something that the
 * column's type doesn't cover. Such a value meets only `-` and negations of tests that it fails.
 */
export type FieldValue = Scalar | null | undefined;

const dayMs = 86_400_000;

/** A field of an input or a profile on the axis of a column. Validation may have made dates of texts. */
export function fieldValue(type: ColumnType, value: unknown): FieldValue {
  if (value === undefined || value === null) return null;
  // Fast paths: what most columns hold.
  if (typeof value === "number") return type === "number" && Number.isFinite(value) ? value : undefined;
  if (typeof value === "string" && type === "text") return value;
  const scalar = value instanceof Date ? ofDate(type, value.getTime()) : scalarOf(type, value);
  return typeof scalar === "number" && !Number.isFinite(scalar) ? undefined : scalar;
}

function ofDate(type: ColumnType, ms: number): number | undefined {
  if (type === "date") return Math.floor(ms / dayMs);
  return type === "date-time" ? ms : undefined;
}

/** A value of a column as an input has it: dates, date-times and durations are texts. */
export function rawValue(type: ColumnType, value: Scalar): Scalar {
  if (typeof value !== "number" || type === "number") return value;
  if (type === "date") return isoOf(value * dayMs).slice(0, 10);
  if (type === "date-time") return isoOf(value).replace(".000Z", "Z");
  return durationText(value);
}

/** Instants beyond the years 0 to 9999 have no text that inputs could have: the nearest one that has. */
function isoOf(ms: number): string {
  return new Date(Math.min(Math.max(ms, firstMs), lastMs)).toISOString();
}

const firstMs = Date.parse("0000-01-01T00:00:00.000Z");

const lastMs = Date.parse("9999-12-31T23:59:59.999Z");

function durationText(ms: number): string {
  const total = Math.abs(ms);
  const days = Math.floor(total / dayMs);
  const hours = Math.floor((total % dayMs) / 3_600_000);
  const minutes = Math.floor((total % 3_600_000) / 60_000);
  const seconds = (total % 60_000) / 1000;
  const time = [
    hours > 0 ? `${hours}H` : "",
    minutes > 0 ? `${minutes}M` : "",
    seconds > 0 ? `${seconds}S` : "",
  ].join("");
  if (total === 0) return "PT0S";
  return `${ms < 0 ? "-" : ""}P${days > 0 ? `${days}D` : ""}${time === "" ? "" : `T${time}`}`;
}
