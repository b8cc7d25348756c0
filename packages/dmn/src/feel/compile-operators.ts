import type { NodeOf } from "../syntax/node.js";
import { compare } from "../values/compare.js";
import type { Run } from "../values/run.js";
import { type FeelValue, kindOf } from "../values/value.js";
import { type Compiling, orWarn } from "./compiling.js";
import { negated, operate } from "./operators.js";
import type { Evaluate, Scope } from "./scope.js";
import { compared } from "./tests.js";

export function compileArithmetic(node: NodeOf<"arithmetic">, scope: Scope, compiling: Compiling): Evaluate {
  const { operator } = node;
  const apply: Apply = (a, b, run) => operate(operator, a, b, run) ?? null;
  return compileBinary(node, scope, compiling, apply, `${operator} of`);
}

export function compileComparison(node: NodeOf<"compare">, scope: Scope, compiling: Compiling): Evaluate {
  const { operator } = node;
  const apply: Apply = (a, b, run) => compared(operator, a, b, run);
  return compileBinary(node, scope, compiling, apply, "a comparison of");
}

/** @returns null for operands that have no result */
type Apply = (a: FeelValue, b: FeelValue, run: Run) => FeelValue;

/** @param noun - what has no result, for warnings */
function compileBinary(
  node: NodeOf<"arithmetic" | "compare">,
  scope: Scope,
  compiling: Compiling,
  apply: Apply,
  noun: string,
): Evaluate {
  const left = compiling.compile(node.left, scope);
  const right = compiling.compile(node.right, scope);
  const place = compiling.placeOf(node);
  return (frame) => {
    const { run } = frame;
    run.tick();
    const a = left(frame);
    const b = right(frame);
    return (
      apply(a, b, run) ?? run.warn("WRONG_TYPE", `${noun} ${kindOf(a)} and ${kindOf(b)} has no result`, place)
    );
  };
}

export function compileNegation(node: NodeOf<"negate">, scope: Scope, compiling: Compiling): Evaluate {
  const operand = compiling.compile(node.of, scope);
  const place = compiling.placeOf(node);
  return (frame) =>
    orWarn(negated(operand(frame)), frame.run, "WRONG_TYPE", "only numbers and durations have a sign", place);
}

export function compileBetween(node: NodeOf<"between">, scope: Scope, compiling: Compiling): Evaluate {
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
export function compileLogic(node: NodeOf<"and" | "or">, scope: Scope, compiling: Compiling): Evaluate {
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
