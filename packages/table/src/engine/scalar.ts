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
