import type { Column, ColumnType, Condition, Endpoint, Test } from "../cells/condition.js";
import { valueAt } from "../cells/scalar.js";
import { type FieldValue, fieldValue } from "./field-value.js";

/** Whether a field's value meets a condition. */
export type Meets = (value: FieldValue, input: unknown, profile: unknown) => boolean;

/** A condition as a closure. */
export function meetsOf(condition: Condition, { type }: Column): Meets {
  if (condition.kind === "any") return always;
  const { isNegated } = condition;
  const [first = never, ...others] = condition.tests.map((test) => testOf(test, type));
  if (others.length === 0) return isNegated ? (...given) => !first(...given) : first;
  const tests = [first, ...others];
  return (value, input, profile) => tests.some((test) => test(value, input, profile)) !== isNegated;
}

const always: Meets = () => true;

const never: Meets = () => false;

function testOf(test: Test, type: ColumnType): Meets {
  if (test.kind === "null") return (value) => value === null;
  if (test.kind === "interval") {
    const low = comparison(test.isLowClosed ? ">=" : ">", test.low, type);
    const high = comparison(test.isHighClosed ? "<=" : "<", test.high, type);
    return (...given) => low(...given) && high(...given);
  }
  return comparison(test.operator, test.endpoint, type);
}

type Operator = Extract<Test, { kind: "compare" }>["operator"];

function comparison(operator: Operator, endpoint: Endpoint, type: ColumnType): Meets {
  const holds = operators[operator];
  if (endpoint.kind === "literal") {
    const { value: other } = endpoint;
    return (value) => value !== null && value !== undefined && holds(value, other);
  }
  const { root, path } = endpoint;
  return (value, input, profile) => {
    if (value === null || value === undefined) return false;
    const other = fieldValue(type, valueAt(root === "input" ? input : profile, path));
    return other !== null && other !== undefined && holds(value, other);
  };
}

type Value = string | number | boolean;

/** Booleans have no order. Texts are compared by their UTF-16 code units. */
const operators: Readonly<Record<Operator, (one: Value, other: Value) => boolean>> = {
  "<": (one, other) => typeof one !== "boolean" && one < other,
  "<=": (one, other) => typeof one !== "boolean" && one <= other,
  ">": (one, other) => typeof one !== "boolean" && one > other,
  ">=": (one, other) => typeof one !== "boolean" && one >= other,
  "=": (one, other) => one === other,
  "!=": (one, other) => one !== other,
};
