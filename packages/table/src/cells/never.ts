import type { Bound, Column, Condition, Endpoint, Scalar, Test } from "./condition.js";
import { CellError } from "./literals.js";

/**
 * Refuses a condition, or one of its tests, that no value of the column meets, as far as literals tell.
 *
 * @throws CellError
 */
export function refuseNever(condition: Condition, column: Column): void {
  if (condition.kind === "any") return;
  for (const test of condition.tests) {
    if (test.kind === "null") {
      if (!column.isNullable)
        throw new CellError(
          `is null, but the input schema has no null and requires "${column.path.join(".")}"`,
        );
      continue;
    }
    if (!canMeet(test, column)) {
      const what = condition.isNegated ? "excludes what can never match" : "can never match";
      throw new CellError(`${what}: the input schema allows ${domainText(column)}`);
    }
  }
  if (!condition.isNegated) return;
  const values = finiteValues(column);
  if (values === undefined) {
    if (condition.tests.some((test) => meetsAll(test, column)))
      throw new CellError(`can never match: the input schema allows ${domainText(column)}`);
    return;
  }
  const isLeft = values.some((value) => !condition.tests.some((test) => meets(test, value) === true));
  const hasNullLeft = column.isNullable && !condition.tests.some(({ kind }) => kind === "null");
  if (!isLeft && !hasNullLeft)
    throw new CellError("can never match: it excludes every value that the input schema allows");
}

function finiteValues({ type, members }: Column): readonly Scalar[] | undefined {
  return members ?? (type === "boolean" ? [true, false] : undefined);
}

/** Whether some value of the column meets a test; `true` where a reference decides. */
function canMeet(test: Test, column: Column): boolean {
  const values = finiteValues(column);
  if (values !== undefined) return values.some((value) => meets(test, value) !== false);
  const range = rangeOf(test);
  if (range === undefined) return true;
  const low = highest(range.low, column.minimum);
  const high = lowest(range.high, column.maximum);
  if (low !== undefined && high !== undefined) {
    if (low.value > high.value || (low.value === high.value && !(low.isClosed && high.isClosed)))
      return false;
  }
  return hasStep(low, high, column);
}

/** Whether a negation of the test leaves nothing of the column's range. */
function meetsAll(test: Test, { minimum, maximum, isNullable }: Column): boolean {
  const range = rangeOf(test);
  if (range === undefined || isNullable) return false;
  // An end that a reference decides is still an end.
  if (test.kind === "interval" && [test.low, test.high].some(({ kind }) => kind === "reference"))
    return false;
  const isLow = range.low === undefined || (minimum !== undefined && !isAbove(range.low, minimum));
  const isHigh = range.high === undefined || (maximum !== undefined && !isBelow(range.high, maximum));
  return isLow && isHigh && (minimum ?? maximum) !== undefined;
}

interface Range {
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
}

function rangeOf(test: Test): Range | undefined {
  if (test.kind === "null") return undefined;
  if (test.kind === "interval") {
    return { low: boundOf(test.low, test.isLowClosed), high: boundOf(test.high, test.isHighClosed) };
  }
  const { operator, endpoint } = test;
  const at = boundOf(endpoint, operator === "=" || operator === "<=" || operator === ">=");
  if (at === undefined || operator === "!=") return undefined;
  return {
    low: operator.startsWith("<") ? undefined : at,
    high: operator.startsWith(">") ? undefined : at,
  };
}

function boundOf(endpoint: Endpoint, isClosed: boolean): Bound | undefined {
  return endpoint.kind === "literal" && typeof endpoint.value === "number"
    ? { value: endpoint.value, isClosed }
    : undefined;
}

function isAbove(a: Bound, b: Bound): boolean {
  return a.value > b.value || (a.value === b.value && !a.isClosed && b.isClosed);
}

function isBelow(a: Bound, b: Bound): boolean {
  return a.value < b.value || (a.value === b.value && !a.isClosed && b.isClosed);
}

function highest(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isAbove(a, b) ? a : b;
}

function lowest(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return isBelow(a, b) ? a : b;
}

/** Whether a value that the schema's step allows lies between two bounds. */
function hasStep(
  low: Bound | undefined,
  high: Bound | undefined,
  { isInteger, multipleOf }: Column,
): boolean {
  const step = isInteger ? Math.max(1, multipleOf ?? 1) : multipleOf;
  if (step === undefined || low === undefined || high === undefined) return true;
  if (isInteger && multipleOf !== undefined && !Number.isInteger(multipleOf)) return true;
  // As decimals: 0.3 is a multiple of 0.1.
  const steps = (value: number): number => Number((value / step).toPrecision(12));
  const first = low.isClosed ? Math.ceil(steps(low.value)) : Math.floor(steps(low.value)) + 1;
  const last = high.isClosed ? Math.floor(steps(high.value)) : Math.ceil(steps(high.value)) - 1;
  return first <= last;
}

/** `undefined` where a reference decides. */
function meets(test: Test, value: Scalar): boolean | undefined {
  if (test.kind === "null") return false;
  if (test.kind === "compare") {
    const { operator, endpoint } = test;
    if (endpoint.kind === "reference") return undefined;
    const end = endpoint.value;
    if (operator === "=") return value === end;
    if (operator === "!=") return value !== end;
    if (operator === "<") return value < end;
    if (operator === "<=") return value <= end;
    return operator === ">" ? value > end : value >= end;
  }
  const { low, high, isLowClosed, isHighClosed } = test;
  if (low.kind === "reference" || high.kind === "reference") return undefined;
  return (
    (isLowClosed ? value >= low.value : value > low.value) &&
    (isHighClosed ? value <= high.value : value < high.value)
  );
}

function domainText(column: Column): string {
  const values = finiteValues(column);
  if (values !== undefined)
    return `only ${values
      .slice(0, 10)
      .map((value) => JSON.stringify(value))
      .join(", ")}`;
  const { minimum, maximum, isInteger, multipleOf } = column;
  const parts = [
    ...(minimum === undefined || minimum.value === Number.MIN_SAFE_INTEGER
      ? []
      : [`${minimum.isClosed ? "at least" : "more than"} ${minimum.value}`]),
    ...(maximum === undefined || maximum.value === Number.MAX_SAFE_INTEGER
      ? []
      : [`${maximum.isClosed ? "at most" : "less than"} ${maximum.value}`]),
    ...(isInteger ? ["whole numbers"] : []),
    ...(multipleOf === undefined ? [] : [`multiples of ${multipleOf}`]),
  ];
  return parts.join(", ");
}
