import type { Node, TypeNode } from "../syntax/node.js";
import { FeelSyntaxError } from "../syntax/node.js";
import { ReadingBudget, type SourcePlace, type Warning, type WarningCode } from "../values/run.js";
import { builtInType, isInstance } from "../values/type.js";
import type { Type } from "../values/value.js";
import { compileCall, compileCallNamed, compileFunction } from "./compile-calls.js";
import { compileFilter, compileLoop, compilePath } from "./compile-loops.js";
import {
  compileArithmetic,
  compileBetween,
  compileComparison,
  compileLogic,
  compileNegation,
} from "./compile-operators.js";
import { type CompiledTests, compileIn, compileTestRange, compileTests } from "./compile-tests.js";
import { compileAt, compileContext, compileIf, compileList, compileRange } from "./compile-values.js";
import type { Compiling } from "./compiling.js";
import type { Evaluate, Scope } from "./scope.js";
import { constantTests } from "./tests.js";

export interface CompilerOptions {
  /** The types that the model defines. @default none */
  readonly types?: (name: string) => Type | undefined;
  /** Of the model. @default its own */
  readonly budget?: ReadingBudget;
  /** Told each name that an expression has, and whether anything is called that. */
  readonly named?: (name: string, isKnown: boolean) => void;
  /** Told of parts that are null whatever the input, with the whole expression: empty where none is the reason. */
  readonly broken?: ((warning: Warning, expression: string) => void) | undefined;
}

/** Compiles the expressions of one element of a model: syntax tree to closures, once. */
export class Compiler implements Compiling {
  readonly #element: string;
  readonly #types: (name: string) => Type | undefined;
  readonly #budget: ReadingBudget;
  readonly #named: CompilerOptions["named"];
  readonly #whenBroken: CompilerOptions["broken"];
  #text = "";
  #depth = 0;
  #deepest = 0;

  /** @param element - the name that warnings give */
  constructor(element: string, options: CompilerOptions = {}) {
    this.#element = element;
    this.#types = options.types ?? (() => undefined);
    this.#budget = options.budget ?? new ReadingBudget();
    this.#named = options.named;
    this.#whenBroken = options.broken;
  }

  /** An expression with a syntax error is null, with a warning. */
  expression(text: string, scope: Scope): Evaluate {
    return this.#reading(
      text,
      () => this.compile(scope.grammar.expression(text), scope),
      (broken) => broken,
    );
  }

  /** Like {@link expression}, for the body of something that is called. */
  body(text: string, scope: Scope): { readonly body: Evaluate; readonly height: number } {
    return this.#reading(
      text,
      () => this.compileBody(scope.grammar.expression(text), scope),
      (broken) => ({ body: broken, height: 1 }),
    );
  }

  /** The tests of a cell, in a scope that has `?`. */
  unaryTests(text: string, scope: Scope): CompiledTests {
    const inner = scope.with([{ name: "?" }]);
    return this.#reading<CompiledTests>(
      text,
      () => {
        const tests = scope.grammar.unaryTests(text);
        return { test: compileTests(tests, inner, this), constants: constantTests(tests) };
      },
      (broken) => ({
        test: (_value, frame) => {
          broken(frame);
          return null;
        },
        constants: undefined,
      }),
    );
  }

  #reading<T>(text: string, compile: () => T, otherwise: (broken: Evaluate) => T): T {
    this.#budget.take(text);
    this.#text = text;
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof FeelSyntaxError)) throw error;
      return otherwise(
        this.always("SYNTAX", error.message, { element: this.#element, offset: error.offset }),
      );
    } finally {
      this.#text = "";
    }
  }

  always(code: WarningCode, message: string, place: SourcePlace): Evaluate {
    this.#whenBroken?.({ code, message, place }, this.#text);
    return (frame) => frame.run.warn(code, message, place);
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
        return compileAt(node, this);
      case "name": {
        const found = scope.resolve(node.name);
        this.#named?.(node.name, found !== undefined);
        return found ?? this.#unresolved(node.name, node);
      }
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
        return compileArithmetic(node, scope, this);
      case "negate":
        return compileNegation(node, scope, this);
      case "compare":
        return compileComparison(node, scope, this);
      case "between":
        return compileBetween(node, scope, this);
      case "in":
        return compileIn(node, scope, this);
      case "and":
      case "or":
        return compileLogic(node, scope, this);
      case "if":
        return compileIf(node, scope, this);
      case "list":
        return compileList(node, scope, this);
      case "context":
        return compileContext(node, scope, this);
      case "range":
        return compileRange(node, scope, this);
      case "test":
        return compileTestRange(node, scope, this);
      case "instanceOf": {
        const value = this.compile(node.value, scope);
        const type = this.typeOf(node.type);
        if (type === undefined) return this.always("UNKNOWN_NAME", "an unknown type", this.placeOf(node));
        return (frame) => isInstance(value(frame), type, frame.run);
      }
    }
  }

  #unresolved(name: string, node: Node): Evaluate {
    return this.always("UNKNOWN_NAME", `nothing is called ${JSON.stringify(name)}`, this.placeOf(node));
  }

  typeOf(node: TypeNode): Type | undefined {
    return resolveType(node, this.#types);
  }

  placeOf(node: Node): SourcePlace {
    return { element: this.#element, offset: node.at };
  }
}

/** @returns undefined for a type that neither FEEL nor the model defines */
function resolveType(node: TypeNode, find: (name: string) => Type | undefined): Type | undefined {
  switch (node.kind) {
    case "named":
      return builtInType(node.name) ?? find(node.name);
    case "list":
    case "range": {
      const of = resolveType(node.of, find);
      return of === undefined ? undefined : { kind: node.kind, of };
    }
    case "context": {
      const entries = new Map<string, Type>();
      for (const { name, type } of node.entries) {
        const known = resolveType(type, find);
        if (known === undefined) return undefined;
        entries.set(name, known);
      }
      return { kind: "context", entries };
    }
    case "function": {
      const result = resolveType(node.result, find);
      const parameters = node.parameters.map((parameter) => resolveType(parameter, find));
      const known = parameters.filter((parameter) => parameter !== undefined);
      if (result === undefined || known.length < parameters.length) return undefined;
      return { kind: "function", parameters: known, result };
    }
  }
}
