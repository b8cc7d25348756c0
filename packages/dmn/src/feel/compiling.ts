import type { Node, TypeNode } from "../syntax/node.js";
import type { Run, SourcePlace, WarningCode } from "../values/run.js";
import type { FeelValue, Type } from "../values/value.js";
import type { Evaluate, Scope } from "./scope.js";

/** What the parts of the compiler have of each other. */
export interface Compiling {
  compile(node: Node, scope: Scope): Evaluate;
  /** Compiles what calls enter, and tells how deep it is nested. */
  compileBody(node: Node, scope: Scope): { readonly body: Evaluate; readonly height: number };
  typeOf(node: TypeNode): Type | undefined;
  placeOf(node: Node): SourcePlace;
  /** An expression that is null whatever the input. */
  always(code: WarningCode, message: string, place: SourcePlace): Evaluate;
}

/** A result, or null with a warning where there is none. */
export function orWarn(
  value: FeelValue | undefined,
  run: Run,
  code: WarningCode,
  message: string,
  place: SourcePlace,
): FeelValue {
  return value === undefined ? run.warn(code, message, place) : value;
}

/** Whether an expression has a name. */
export function mentions(node: unknown, name: string): boolean {
  if (typeof node !== "object" || node === null) return false;
  if ("kind" in node && node.kind === "name" && "name" in node && node.name === name) return true;
  return Object.values(node).some((part) => mentions(part, name));
}
