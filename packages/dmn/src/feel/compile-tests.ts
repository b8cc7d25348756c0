import type { Node, NodeOf, UnaryTests } from "../syntax/node.js";
import type { FeelValue } from "../values/value.js";
import { type Compiling, mentions, orWarn } from "./compiling.js";
import { type Evaluate, Frame, type Scope } from "./scope.js";
import { type ConstantTests, compared, either, meets, rangeOf } from "./tests.js";

/** Whether a value meets the tests of a cell; null if that can't be said. */
export type Test = (value: FeelValue, frame: Frame) => boolean | null;

export interface CompiledTests {
  readonly test: Test;
  /** The same, for an index. */
  readonly constants: ConstantTests | undefined;
}

/** @param scope - has `?` */
export function compileTests(
  { isAny, isNegated, tests }: UnaryTests,
  scope: Scope,
  compiling: Compiling,
): Test {
  if (isAny) return () => true;
  const compiled = tests.map((test) => compileTest(test, scope, compiling));
  return (value, frame) => {
    const inner = new Frame(frame, [value], frame.run);
    const result =
      compiled.length === 1 ? (compiled[0]?.(value, inner) ?? null) : eitherOf(compiled, value, inner);
    return !isNegated || result === null ? result : !result;
  };
}

export function compileIn(node: NodeOf<"in">, scope: Scope, compiling: Compiling): Evaluate {
  const value = compiling.compile(node.value, scope);
  const inner = scope.with([{ name: "?" }]);
  const tests = node.tests.map((test) => compileTest(test, inner, compiling));
  return (frame) => {
    const tested = value(frame);
    return eitherOf(tests, tested, new Frame(frame, [tested], frame.run));
  };
}

function compileTest(node: Node, scope: Scope, compiling: Compiling): Test {
  if (node.kind === "test") {
    const endpoint = compiling.compile(node.endpoint, scope);
    return (value, frame) => compared(node.operator, value, endpoint(frame), frame.run);
  }
  const expression = compiling.compile(node, scope);
  if (mentions(node, "?"))
    return (value, frame) => {
      const result = expression(frame);
      return typeof result === "boolean" || result === null ? result : meets(value, result, frame.run);
    };
  return (value, frame) => {
    const test = expression(frame);
    // A condition that does not speak of the value.
    if (typeof test === "boolean" && typeof value !== "boolean" && node.kind !== "literal") return test;
    return meets(value, test, frame.run);
  };
}

/** A test outside of cells: a range. */
export function compileTestRange(node: NodeOf<"test">, scope: Scope, compiling: Compiling): Evaluate {
  const endpoint = compiling.compile(node.endpoint, scope);
  const place = compiling.placeOf(node);
  return (frame) =>
    orWarn(rangeOf(node.operator, endpoint(frame)), frame.run, "WRONG_TYPE", "no range", place);
}

function eitherOf(tests: readonly Test[], value: FeelValue, frame: Frame): boolean | null {
  return either(tests.map((test) => test(value, frame)));
}
