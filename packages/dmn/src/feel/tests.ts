import type { CompareOperator, Node, UnaryTests } from "../syntax/node.js";
import { compare, equals, isWithin } from "../values/compare.js";
import type { Run } from "../values/run.js";
import { FeelFunction, FeelRange, type FeelValue, isList } from "../values/value.js";

/** A comparison of three-valued logic: null if the values can't be compared. */
export function compared(operator: CompareOperator, a: FeelValue, b: FeelValue, run: Run): boolean | null {
  if (operator === "=") return equals(a, b, run);
  if (operator === "!=") {
    const same = equals(a, b, run);
    return same === null ? null : !same;
  }
  const order = compare(a, b, run);
  if (order === undefined || Number.isNaN(order)) return null;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

/** Whether a value meets what a test's expression is: it is equal to it, in it, or one of its items. */
export function meets(value: FeelValue, test: FeelValue, run: Run): boolean | null {
  if (test instanceof FeelRange) {
    if (value instanceof FeelRange) return equals(value, test, run);
    return isWithin(value, test, run);
  }
  if (test instanceof FeelFunction) return test.call([value], run) === true;
  if (!isList(test)) return equals(value, test, run);
  if (isList(value) && equals(value, test, run) === true) return true;
  return test.some((item) =>
    item instanceof FeelRange && !(value instanceof FeelRange)
      ? isWithin(value, item, run) === true
      : equals(value, item, run) === true,
  );
}

/** True if one is, null if one is null, false otherwise. */
export function either(results: Iterable<boolean | null>): boolean | null {
  let isUnknown = false;
  for (const result of results) {
    if (result === true) return true;
    isUnknown ||= result === null;
  }
  return isUnknown ? null : false;
}

/** `> 5` as a value. @returns undefined for `!=`, which is not a range */
export function rangeOf(operator: CompareOperator, end: FeelValue): FeelRange | undefined {
  switch (operator) {
    case "=":
      return new FeelRange(end, true, end, true, true);
    case "<":
      return new FeelRange(undefined, false, end, false);
    case "<=":
      return new FeelRange(undefined, false, end, true);
    case ">":
      return new FeelRange(end, false, undefined, false);
    case ">=":
      return new FeelRange(end, true, undefined, false);
    default:
      return undefined;
  }
}

/** One test of a cell that depends on nothing but the value. */
type ConstantTest =
  | { readonly value: string | boolean }
  | {
      readonly low: number;
      readonly lowIncluded: boolean;
      readonly high: number;
      readonly highIncluded: boolean;
    };

/** Of which a value must meet one. */
export type ConstantTests = "any" | readonly ConstantTest[];

/** @returns undefined if a test is not a constant, or of a kind that an index can't hold */
export function constantTests({ isAny, isNegated, tests }: UnaryTests): ConstantTests | undefined {
  if (isAny) return "any";
  if (isNegated) return undefined;
  const constants = tests.map(constantTest).filter((test) => test !== undefined);
  return constants.length === tests.length ? constants : undefined;
}

function constantTest(node: Node): ConstantTest | undefined {
  if (node.kind === "literal") return equalTo(node.value);
  if (node.kind === "range") {
    const [low, high] = [numberOf(node.start), numberOf(node.end)];
    if (low === undefined || high === undefined) return undefined;
    return { low, lowIncluded: node.startIncluded, high, highIncluded: node.endIncluded };
  }
  const end = node.kind === "test" ? numberOf(node.endpoint) : undefined;
  if (node.kind !== "test" || end === undefined) return undefined;
  const isIncluded = node.operator.includes("=");
  switch (node.operator) {
    case "=":
      return equalTo(end);
    case "<":
    case "<=":
      return { low: Number.NEGATIVE_INFINITY, lowIncluded: true, high: end, highIncluded: isIncluded };
    case ">":
    case ">=":
      return { low: end, lowIncluded: isIncluded, high: Number.POSITIVE_INFINITY, highIncluded: true };
    default:
      return undefined;
  }
}

function equalTo(value: null | boolean | number | string): ConstantTest | undefined {
  if (value === null) return undefined;
  if (typeof value !== "number") return { value };
  return { low: value, lowIncluded: true, high: value, highIncluded: true };
}

function numberOf(node: Node): number | undefined {
  return node.kind === "literal" && typeof node.value === "number" ? node.value : undefined;
}
