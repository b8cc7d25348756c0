import type { Node } from "../syntax/node.js";
import { compare } from "../values/compare.js";
import { kindOf } from "../values/value.js";
import { type Compiling, orWarn } from "./compiling.js";
import { negated, operate } from "./operators.js";
import type { Evaluate, Scope } from "./scope.js";
import { compared } from "./tests.js";

export function compileArithmetic(
  node: Extract<Node, { kind: "arithmetic" }>,
  scope: Scope,
  compiling: Compiling,
): Evaluate {
  const { operator } = node;
  const left = compiling.compile(node.left, scope);
  const right = compiling.compile(node.right, scope);
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const a = left(frame);
    const b = right(frame);
    const result = operate(operator, a, b, run);
    return result === undefined
      ? run.warn("WRONG_TYPE", `${kindOf(a)} ${operator} ${kindOf(b)} has no result`, place)
      : result;
  };
}

export function compileNegation(
  node: Extract<Node, { kind: "negate" }>,
  scope: Scope,
  compiling: Compiling,
): Evaluate {
  const operand = compiling.compile(node.of, scope);
  const place = compiling.placeOf(node);
  return (frame) =>
    orWarn(negated(operand(frame)), frame.run, "WRONG_TYPE", "only numbers and durations have a sign", place);
}

export function compileComparison(
  node: Extract<Node, { kind: "compare" }>,
  scope: Scope,
  compiling: Compiling,
): Evaluate {
  const { operator } = node;
  const left = compiling.compile(node.left, scope);
  const right = compiling.compile(node.right, scope);
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const a = left(frame);
    const b = right(frame);
    const result = compared(operator, a, b, run);
    return result === null
      ? run.warn("WRONG_TYPE", `${kindOf(a)} and ${kindOf(b)} can't be compared`, place)
      : result;
  };
}

export function compileBetween(
  node: Extract<Node, { kind: "between" }>,
  scope: Scope,
  compiling: Compiling,
): Evaluate {
  const [value, low, high] = [node.value, node.low, node.high].map((each) => compiling.compile(each, scope));
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const tested = value?.(frame) ?? null;
    const fromLow = compare(tested, low?.(frame) ?? null, run);
    const toHigh = compare(tested, high?.(frame) ?? null, run);
    if (fromLow === undefined || toHigh === undefined)
      return run.warn("WRONG_TYPE", "values that can't be compared", place);
    return fromLow >= 0 && toHigh <= 0;
  };
}

/** Three-valued: what is not a boolean is unknown. */
export function compileLogic(
  node: Extract<Node, { kind: "and" | "or" }>,
  scope: Scope,
  compiling: Compiling,
): Evaluate {
  const left = compiling.compile(node.left, scope);
  const right = compiling.compile(node.right, scope);
  const decides = node.kind === "or";
  return (frame) => {
    frame.run.tick();
    const first = left(frame);
    if (first === decides) return decides;
    const second = right(frame);
    if (second === decides) return decides;
    return first === !decides && second === !decides ? !decides : null;
  };
}
