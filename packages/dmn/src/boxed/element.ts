import type { Compiler } from "../feel/compile.js";
import type { Evaluate, Scope } from "../feel/scope.js";
import type { Type } from "../values/value.js";

/** The element of a model whose expressions are compiled. */
export interface BoxedElement {
  readonly name: string;
  readonly compiler: Compiler;
  /** @throws ModelError for a type that does not exist */
  typeOf(typeRef: string | undefined, line: number): Type;
}

/** A compiled expression, and how deep it is nested. */
export interface CompiledBox {
  readonly body: Evaluate;
  readonly height: number;
}

export interface BoxScope {
  readonly scope: Scope;
  readonly element: BoxedElement;
  /** The element's name, and those of the context entries that an expression is in. */
  readonly path: string;
}
