import type { Column, Condition, Endpoint, Test } from "../cells/condition.js";
import { valueAt } from "../cells/scalar.js";
import { type FieldValue, fieldValue, rawValue } from "./field-value.js";

/**
 * Why a value does not meet a condition, such as `601 < 620`.
 *
 * @param value - one that does not: `meetsOf` says so
 */
export function reasonOf(
  condition: Condition,
  column: Column,
  value: FieldValue,
  input: unknown,
  profile: unknown,
): string {
  if (value === null) return "no value";
  const { type } = column;
  if (value === undefined) return "a value of another type";
  const own = String(rawValue(type, value));
  if (condition.kind === "any") return own;
  if (condition.isNegated) return `${own} is excluded`;
  const [test, second] = condition.tests;
  if (test === undefined || second !== undefined) return `${own} is none of these`;
  return `${own} ${missed(test, value, (endpoint) => endOf(endpoint, type, input, profile))}`;
}

/** A bound of a cell: its value, and how a person reads it. */
interface End {
  readonly value: FieldValue;
  readonly text: string;
}

function endOf(endpoint: Endpoint, type: Column["type"], input: unknown, profile: unknown): End {
  if (endpoint.kind === "literal")
    return { value: endpoint.value, text: String(rawValue(type, endpoint.value)) };
  const { root, path } = endpoint;
  const value = fieldValue(type, valueAt(root === "input" ? input : profile, path));
  const name = [root, ...path].join(".");
  const isKnown = value !== null && value !== undefined;
  return { value, text: isKnown ? `${rawValue(type, value)} (${name})` : `${name}, which has no value` };
}

const opposites = {
  "<": "≥",
  "<=": ">",
  ">": "≤",
  ">=": "<",
  "=": "≠",
  "!=": "=",
} as const satisfies Record<Extract<Test, { kind: "compare" }>["operator"], string>;

function missed(test: Test, value: string | number | boolean, endOf: (endpoint: Endpoint) => End): string {
  if (test.kind === "null") return "is a value";
  if (test.kind === "compare") {
    const end = endOf(test.endpoint);
    return end.value === null || end.value === undefined
      ? `is compared with ${end.text}`
      : `${opposites[test.operator]} ${end.text}`;
  }
  const low = endOf(test.low);
  const high = endOf(test.high);
  for (const { value: end, text } of [low, high])
    if (end === null || end === undefined) return `is compared with ${text}`;
  const isBelow =
    low.value !== null &&
    low.value !== undefined &&
    (value < low.value || (!test.isLowClosed && value === low.value));
  if (isBelow) return `${test.isLowClosed ? "<" : "≤"} ${low.text}`;
  return `${test.isHighClosed ? ">" : "≥"} ${high.text}`;
}
