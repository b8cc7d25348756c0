import type { Column, ColumnType, Condition, Endpoint } from "../cells/condition.js";
import { valueAt } from "../cells/scalar.js";
import type { RowConditions, TableConditions } from "../model.js";
import { type FieldValue, fieldValue } from "./field-value.js";

/** What rows tell inputs apart by: an input column, or the instant of the call. */
export interface Dimension {
  readonly column: Column;
  /** One per row. */
  readonly conditions: readonly Condition[];
  /** Whether it is the instant of the call, and not a column. */
  readonly isTime: boolean;
  valueOf(input: unknown, nowMs: number): FieldValue;
}

/** The columns of a table, and time if a row isn't always in force. */
export function dimensionsOf(model: TableConditions): readonly Dimension[] {
  const columns = model.columns.map((column, place): Dimension => {
    const { type, path } = column;
    return {
      column,
      conditions: model.rows.map(({ conditions }) => conditions[place] ?? always),
      isTime: false,
      valueOf: readerOf(type, path),
    };
  });
  const isTimed = model.rows.some(({ fromMs, untilMs }) => fromMs !== undefined || untilMs !== undefined);
  if (!isTimed) return columns;
  const conditions = model.rows.map(inForce);
  return [...columns, { column: now, conditions, isTime: true, valueOf: (_input, nowMs) => nowMs }];
}

/** Reads a field. One of the input itself is by far the most frequent. */
function readerOf(type: ColumnType, path: readonly string[]): (input: unknown) => FieldValue {
  const [name = ""] = path;
  if (path.length !== 1) return (input) => fieldValue(type, valueAt(input, path));
  return (input) => {
    if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return null;
    // Holds: it has the member as its own.
    const value = (input as Readonly<Record<string, unknown>>)[name];
    return fieldValue(type, value);
  };
}

const always: Condition = { kind: "any" };

const now: Column = { path: [], type: "date-time", isNullable: false, isInteger: true };

function inForce({ fromMs, untilMs }: RowConditions): Condition {
  if (fromMs === undefined && untilMs === undefined) return always;
  if (fromMs === undefined)
    return oneTest({ kind: "compare", operator: "<", endpoint: literal(untilMs ?? 0) });
  if (untilMs === undefined) return oneTest({ kind: "compare", operator: ">=", endpoint: literal(fromMs) });
  return oneTest({
    kind: "interval",
    low: literal(fromMs),
    isLowClosed: true,
    high: literal(untilMs),
    isHighClosed: false,
  });
}

function oneTest(test: Extract<Condition, { kind: "tests" }>["tests"][number]): Condition {
  return { kind: "tests", isNegated: false, tests: [test] };
}

function literal(value: number): Endpoint {
  return { kind: "literal", value };
}
