import type { Node, TypeNode, UnaryTests } from "../syntax/node.js";
import { FeelSyntaxError } from "../syntax/syntax-error.js";
import { compare } from "../values/compare.js";
import { ReadingBudget, type SourcePlace } from "../values/run.js";
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from "../values/temporal.js";
import { builtInType, isInstance } from "../values/type.js";
import { FeelRange, type FeelValue, kindOf, type Type } from "../values/value.js";
import { compileCall, compileCallNamed, compileFunction } from "./compile-calls.js";
import { compileFilter, compileLoop, compilePath } from "./compile-loops.js";
import { always, type Compiling, orWarn } from "./compiling.js";
import { type ConstantTests, constantTests } from "./constant-tests.js";
import { negated, operate } from "./operators.js";
import { type Evaluate, Frame, type Scope } from "./scope.js";
import { compared, either, meets, rangeOf } from "./tests.js";

/** Whether a value meets the tests of a cell; null if that can't be said. */
export type Test = (value: FeelValue, frame: Frame) => boolean | null;

export interface CompiledTests {
  readonly test: Test;
  /** The same, for an index. */
  readonly constants: ConstantTests | undefined;
}

export interface CompilerOptions {
  /** The types that the model defines. @default none */
  readonly types?: (name: string) => Type | undefined;
  /** Of the model. @default its own */
  readonly budget?: ReadingBudget;
  /** Told the names that nothing has. */
  readonly unknown?: (name: string) => void;
}

/** Compiles the expressions of one element of a model: syntax tree to closures, once. */
export class Compiler implements Compiling {
  readonly #element: string;
  readonly #types: (name: string) => Type | undefined;
  readonly #budget: ReadingBudget;
  readonly #unknown: ((name: string) => void) | undefined;
  #depth = 0;
  #deepest = 0;

  /** @param element - the name that warnings give */
  constructor(element: string, options: CompilerOptions = {}) {
    this.#element = element;
    this.#types = options.types ?? (() => undefined);
    this.#budget = options.budget ?? new ReadingBudget();
    this.#unknown = options.unknown;
  }

  /** An expression with a syntax error is null, with a warning. */
  expression(text: string, scope: Scope): Evaluate {
    this.#budget.take(text);
    try {
      return this.compile(scope.grammar.expression(text), scope);
    } catch (error) {
      return this.#broken(error);
    }
  }

  /** Like {@link expression}, for the body of something that is called. */
  body(text: string, scope: Scope): { readonly body: Evaluate; readonly height: number } {
    this.#budget.take(text);
    try {
      return this.compileBody(scope.grammar.expression(text), scope);
    } catch (error) {
      return { body: this.#broken(error), height: 1 };
    }
  }

  #broken(error: unknown): Evaluate {
    if (!(error instanceof FeelSyntaxError)) throw error;
    return always("SYNTAX", error.message, { element: this.#element, offset: error.offset });
  }

  /** The tests of a cell, in a scope that has `?`. */
  unaryTests(text: string, scope: Scope): CompiledTests {
    this.#budget.take(text);
    const inner = scope.with([{ name: "?" }]);
    try {
      const tests = scope.grammar.unaryTests(text);
      return { test: this.#tests(tests, inner), constants: constantTests(tests) };
    } catch (error) {
      const broken = this.#broken(error);
      const test: Test = (_value, frame) => {
        broken(frame);
        return null;
      };
      return { test, constants: undefined };
    }
  }

  #tests({ isAny, isNegated, tests }: UnaryTests, scope: Scope): Test {
    if (isAny) return () => true;
    const compiled = tests.map((test) => this.#test(test, scope));
    return (value, frame) => {
      const inner = new Frame(frame, [value], frame.run);
      const result =
        compiled.length === 1 ? (compiled[0]?.(value, inner) ?? null) : eitherOf(compiled, value, inner);
      return !isNegated || result === null ? result : !result;
    };
  }

  #test(node: Node, scope: Scope): Test {
    if (node.kind === "test") {
      const endpoint = this.compile(node.endpoint, scope);
      return (value, frame) => compared(node.operator, value, endpoint(frame), frame.run);
    }
    const expression = this.compile(node, scope);
    if (mentionsInput(node))
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

  compileBody(node: Node, scope: Scope) {
    const [depth, deepest] = [this.#depth, this.#deepest];
    this.#deepest = depth;
    const body = this.compile(node, scope);
    const height = this.#deepest - depth;
    this.#deepest = Math.max(deepest, this.#deepest);
    return { body, height };
  }

  compile(node: Node, scope: Scope): Evaluate {
    this.#depth += 1;
    this.#deepest = Math.max(this.#deepest, this.#depth);
    try {
      return this.#compile(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #compile(node: Node, scope: Scope): Evaluate {
    switch (node.kind) {
      case "literal": {
        const { value } = node;
        return () => value;
      }
      case "at":
        return this.#at(node.text, node);
      case "name":
        return scope.resolve(node.name) ?? this.#unresolved(node.name, node);
      case "path":
        return compilePath(node, scope, this);
      case "filter":
        return compileFilter(node, scope, this);
      case "call":
        return compileCall(node, scope, this);
      case "callNamed":
        return compileCallNamed(node, scope, this);
      case "function":
        return compileFunction(node, scope, this);
      case "for":
      case "some":
      case "every":
        return compileLoop(node, scope, this);
      case "arithmetic":
        return this.#arithmetic(node, scope);
      case "negate":
        return this.#negate(node, scope);
      case "compare":
        return this.#comparison(node, scope);
      case "between":
        return this.#between(node, scope);
      case "in":
        return this.#in(node, scope);
      case "and":
      case "or":
        return this.#logic(node, scope);
      case "if":
        return this.#if(node, scope);
      case "list":
        return this.#list(node, scope);
      case "context":
        return this.#context(node, scope);
      case "range":
        return this.#range(node, scope);
      case "test": {
        const endpoint = this.compile(node.endpoint, scope);
        return (frame) => {
          const range = rangeOf(node.operator, endpoint(frame));
          return orWarn(range, frame.run, "WRONG_TYPE", "no range", this.placeOf(node));
        };
      }
      case "instanceOf": {
        const value = this.compile(node.value, scope);
        const type = this.typeOf(node.type);
        if (type === undefined) return always("UNKNOWN_NAME", "an unknown type", this.placeOf(node));
        return (frame) => isInstance(value(frame), type, frame.run);
      }
    }
  }

  #unresolved(name: string, node: Node): Evaluate {
    this.#unknown?.(name);
    return always("UNKNOWN_NAME", `nothing is called ${JSON.stringify(name)}`, this.placeOf(node));
  }

  placeOf(node: Node): SourcePlace {
    return { element: this.#element, offset: node.at };
  }

  typeOf(node: TypeNode): Type | undefined {
    switch (node.kind) {
      case "named":
        return builtInType(node.name) ?? this.#types(node.name);
      case "list":
      case "range": {
        const of = this.typeOf(node.of);
        return of === undefined ? undefined : { kind: node.kind, of };
      }
      case "context": {
        const entries = new Map<string, Type>();
        for (const { name, type } of node.entries) {
          const known = this.typeOf(type);
          if (known === undefined) return undefined;
          entries.set(name, known);
        }
        return { kind: "context", entries };
      }
      case "function": {
        const result = this.typeOf(node.result);
        const parameters = node.parameters.map((parameter) => this.typeOf(parameter));
        const known = parameters.filter((parameter) => parameter !== undefined);
        if (result === undefined || known.length < parameters.length) return undefined;
        return { kind: "function", parameters: known, result };
      }
    }
  }

  #at(text: string, node: Node): Evaluate {
    const value =
      FeelDate.parse(text) ??
      FeelDateTime.parse(text) ??
      FeelTime.parse(text) ??
      DaysDuration.parse(text) ??
      MonthsDuration.parse(text);
    if (value === undefined)
      return always(
        "INVALID_VALUE",
        `no date, time or duration: ${JSON.stringify(text)}`,
        this.placeOf(node),
      );
    return () => value;
  }

  #arithmetic(node: Extract<Node, { kind: "arithmetic" }>, scope: Scope): Evaluate {
    const { operator } = node;
    const left = this.compile(node.left, scope);
    const right = this.compile(node.right, scope);
    const place = this.placeOf(node);
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

  #negate(node: Extract<Node, { kind: "negate" }>, scope: Scope): Evaluate {
    const operand = this.compile(node.of, scope);
    const place = this.placeOf(node);
    return (frame) =>
      orWarn(
        negated(operand(frame)),
        frame.run,
        "WRONG_TYPE",
        "only numbers and durations have a sign",
        place,
      );
  }

  #comparison(node: Extract<Node, { kind: "compare" }>, scope: Scope): Evaluate {
    const { operator } = node;
    const left = this.compile(node.left, scope);
    const right = this.compile(node.right, scope);
    const place = this.placeOf(node);
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

  #between(node: Extract<Node, { kind: "between" }>, scope: Scope): Evaluate {
    const [value, low, high] = [node.value, node.low, node.high].map((each) => this.compile(each, scope));
    const place = this.placeOf(node);
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

  #in(node: Extract<Node, { kind: "in" }>, scope: Scope): Evaluate {
    const value = this.compile(node.value, scope);
    const inner = scope.with([{ name: "?" }]);
    const tests = node.tests.map((test) => this.#test(test, inner));
    return (frame) => {
      const tested = value(frame);
      return eitherOf(tests, tested, new Frame(frame, [tested], frame.run));
    };
  }

  /** Three-valued: what is not a boolean is unknown. */
  #logic(node: Extract<Node, { kind: "and" | "or" }>, scope: Scope): Evaluate {
    const left = this.compile(node.left, scope);
    const right = this.compile(node.right, scope);
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

  #if(node: Extract<Node, { kind: "if" }>, scope: Scope): Evaluate {
    const condition = this.compile(node.condition, scope);
    const then = this.compile(node.then, scope);
    const otherwise = this.compile(node.otherwise, scope);
    return (frame) => (condition(frame) === true ? then(frame) : otherwise(frame));
  }

  #list(node: Extract<Node, { kind: "list" }>, scope: Scope): Evaluate {
    const items = node.items.map((item) => this.compile(item, scope));
    return (frame) => {
      frame.run.tick(items.length);
      return items.map((item) => item(frame));
    };
  }

  #context(node: Extract<Node, { kind: "context" }>, scope: Scope): Evaluate {
    const names = node.entries.map(({ name }) => name);
    if (new Set(names).size < names.length)
      return always("INVALID_VALUE", "a context with two entries of one name", this.placeOf(node));
    // Each entry sees those before it.
    const compiled: { readonly name: string; readonly value: Evaluate }[] = [];
    let inner = scope;
    for (const { name, value } of node.entries) {
      compiled.push({ name, value: this.compile(value, inner) });
      inner = inner.with([{ name }]);
    }
    return (frame) => {
      const entries = new Map<string, FeelValue>();
      let current = frame;
      frame.run.tick(compiled.length);
      for (const { name, value } of compiled) {
        const result = value(current);
        entries.set(name, result);
        current = new Frame(current, [result], frame.run);
      }
      return entries;
    };
  }

  #range(node: Extract<Node, { kind: "range" }>, scope: Scope): Evaluate {
    const start = this.compile(node.start, scope);
    const end = this.compile(node.end, scope);
    const { startIncluded, endIncluded } = node;
    const place = this.placeOf(node);
    return (frame) => {
      const from = start(frame);
      const to = end(frame);
      if (from !== null && to !== null && compare(from, to, frame.run) === undefined)
        return frame.run.warn("WRONG_TYPE", "a range between values that can't be compared", place);
      return new FeelRange(from, startIncluded, to, endIncluded);
    };
  }
}

function eitherOf(tests: readonly Test[], value: FeelValue, frame: Frame): boolean | null {
  return either(tests.map((test) => test(value, frame)));
}

/** Whether an expression speaks of `?`. */
function mentionsInput(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("kind" in node && node.kind === "name" && "name" in node && node.name === "?") return true;
  return Object.values(node).some(mentionsInput);
}
