import type { Node } from "oxc-parser";
import { memberName, plain, type Sources } from "./find-functions.js";
import { collections, returnsItem } from "./impure.js";
import { isFunction, type Scope } from "./source-file.js";

/** Says whose values expressions of a rule are. */
export class Owners {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * Whose value an expression is a part of, if that outlives the evaluation or belongs to the caller.
   *
   * @param outside - the scope around the rule's function
   */
  of(expression: Node, scope: Scope, outside: Scope, hops = 0): string | undefined {
    const node = plain(expression);
    if (hops > 50) return undefined;
    const again = (part: Node, within = scope) => this.of(part, within, outside, hops + 1);
    switch (node.type) {
      case "MemberExpression":
        return again(node.object);
      case "LogicalExpression":
        return again(node.left) ?? again(node.right);
      case "ConditionalExpression":
        return again(node.consequent) ?? again(node.alternate);
      case "CallExpression": {
        const callee = plain(node.callee);
        const isItem = callee.type === "MemberExpression" && returnsItem.includes(memberName(callee) ?? "");
        return isItem ? again(callee.object) : undefined;
      }
      case "Identifier": {
        if (node.name === "globalThis" && scope.find(node.name) === undefined) return "globalThis";
        const binding = scope.find(node.name);
        if (binding === undefined) return undefined;
        if (binding.owner !== undefined) return binding.owner;
        if (outside.isWithin(binding.scope)) return this.#isState(node.name, scope) ? node.name : undefined;
        const from = binding.value ?? binding.partOf;
        return from === undefined || isFunction(from) ? undefined : again(from, binding.scope);
      }
      default:
        return undefined;
    }
  }

  /** Whether a name outside of the rule stands for data, not for a function or for what a package exports. */
  #isState(name: string, scope: Scope): boolean {
    const origin = this.#sources.origin(scope.find(name));
    const value = origin?.value === undefined ? undefined : plain(origin.value);
    return origin?.imported === undefined && (value === undefined || !isFunction(value));
  }

  /** The path of a global, such as `Date.now`; `undefined` for anything else. */
  globalPath(node: Node, scope: Scope): string | undefined {
    const [root = "", ...members] = pathOf(node);
    if (root === "" || scope.find(root) !== undefined) return undefined;
    return (root === "globalThis" ? members : [root, ...members]).join(".");
  }

  /** Whether an expression names a map or a set that was made here. */
  isCollection(node: Node, scope: Scope): boolean {
    const object = plain(node);
    if (object.type !== "Identifier") return false;
    const value = this.#sources.origin(scope.find(object.name))?.value;
    return value?.type === "NewExpression" && collections.includes(pathOf(value.callee).join("."));
  }
}

/** The names of a path such as `Date.now`; empty for another expression. */
export function pathOf(expression: Node): readonly string[] {
  const node = plain(expression);
  if (node.type === "Identifier") return [node.name];
  if (node.type !== "MemberExpression") return [];
  const name = memberName(node);
  const object = pathOf(node.object);
  return name === undefined || object.length === 0 ? object : [...object, name];
}
