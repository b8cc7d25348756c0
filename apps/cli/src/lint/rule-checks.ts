import type { CallExpression, MemberExpression, Node } from "oxc-parser";
import { memberName, plain, type Sources } from "./find-functions.js";
import {
  changes,
  changesCollection,
  changesFirst,
  itemParameters,
  kindOfGlobal,
  kindOfImport,
} from "./impure.js";
import { Owners, pathOf } from "./owners.js";
import { type AnyFunction, isFunction, type Kind, type Scope } from "./source-file.js";

/** The rule whose code is being read. */
export interface RuleCode {
  readonly rule: string;
  /** The scope around the function: what is declared there outlives an evaluation. */
  readonly outside: Scope;
}

/** Whose value each argument of a function is. */
export type Owned = readonly (string | undefined)[];

/** Reads the functions that the code of a rule calls. */
export interface CodeReader {
  readFunction(node: AnyFunction, scope: Scope, code: RuleCode, owned: Owned): void;
  /** Reads the function that an expression stands for, once. */
  follow(node: Node, scope: Scope, code: RuleCode, owned: Owned): void;
  report(node: Node, kind: Kind, what: string, scope: Scope, code: RuleCode): void;
}

/** What a node in the code of a rule does that a rule must not do. */
export class RuleChecks {
  readonly #reader: CodeReader;
  readonly #owners: Owners;

  constructor(reader: CodeReader, sources: Sources) {
    this.#reader = reader;
    this.#owners = new Owners(sources);
  }

  /** @returns the functions inside that were read, with what they are given */
  check(node: Node, scope: Scope, code: RuleCode): readonly Node[] {
    switch (node.type) {
      case "Identifier":
      case "MemberExpression":
        this.#reference(node, scope, code);
        break;
      case "CallExpression":
        return this.#call(node, scope, code);
      case "NewExpression":
        if (node.arguments.length === 0 && this.#owners.globalPath(node.callee, scope) === "Date")
          this.#reader.report(node, "clock", "new Date()", scope, code);
        break;
      case "AwaitExpression":
        this.#reader.report(node, "async", "await", scope, code);
        break;
      case "ImportExpression":
        this.#reader.report(node, "io", "import()", scope, code);
        break;
      case "AssignmentExpression":
        this.#change(node.left, scope, code);
        break;
      case "UpdateExpression":
        this.#change(node.argument, scope, code);
        break;
      case "UnaryExpression":
        if (node.operator === "delete") this.#change(node.argument, scope, code);
        break;
      default:
    }
    return [];
  }

  /** A global, something imported, or a function that is called or handed on. */
  #reference(node: Node, scope: Scope, code: RuleCode): void {
    const path = pathOf(node);
    const [root = "", ...members] = path;
    const binding = scope.find(root);
    const kind =
      binding === undefined
        ? kindOfGlobal(root === "globalThis" ? members : path)
        : binding.imported && kindOfImport(binding.imported.from, [binding.imported.name, ...members]);
    if (kind !== undefined) this.#reader.report(node, kind, path.join("."), scope, code);
    else this.#reader.follow(node, scope, code, []);
  }

  #call(node: CallExpression, scope: Scope, code: RuleCode): readonly Node[] {
    const callee = plain(node.callee);
    const path = this.#owners.globalPath(callee, scope);
    if (path === "Date") this.#reader.report(node, "clock", "Date()", scope, code);
    const [first] = node.arguments;
    if (first !== undefined && path !== undefined && changesFirst.includes(path)) {
      const owner = this.#owners.of(first, scope, code.outside);
      if (owner !== undefined) this.#reader.report(node, "mutation", `${path} changes ${owner}`, scope, code);
    }
    const owned = node.arguments.map((argument) => this.#owners.of(argument, scope, code.outside));
    if (owned.some((owner) => owner !== undefined)) this.#reader.follow(callee, scope, code, owned);
    return callee.type === "MemberExpression" ? this.#method(node, callee, scope, code) : [];
  }

  #method(node: CallExpression, callee: MemberExpression, scope: Scope, code: RuleCode): readonly Node[] {
    const method = memberName(callee);
    const owner = this.#owners.of(callee.object, scope, code.outside);
    if (method === undefined || owner === undefined) return [];
    const isChange =
      changes(method) || (changesCollection(method) && this.#owners.isCollection(callee.object, scope));
    if (isChange) this.#reader.report(node, "mutation", `${method}() changes ${owner}`, scope, code);
    const items = itemParameters(method);
    if (items.length === 0) return [];
    const owned = [0, 1, 2, 3].map((place) => (items.includes(place) ? owner : undefined));
    return node.arguments.filter((argument) => {
      if (!isFunction(argument)) this.#reader.follow(argument, scope, code, owned);
      else this.#reader.readFunction(argument, scope, code, owned);
      return isFunction(argument);
    });
  }

  /** An assignment to something, or its removal. */
  #change(target: Node, scope: Scope, code: RuleCode): void {
    const node = plain(target);
    if (node.type === "Identifier") {
      const binding = scope.find(node.name);
      if (binding !== undefined && code.outside.isWithin(binding.scope))
        this.#reader.report(node, "mutation", `${node.name} is declared outside of the rule`, scope, code);
      return;
    }
    if (node.type !== "MemberExpression") return;
    const owner = this.#owners.of(node.object, scope, code.outside);
    if (owner !== undefined)
      this.#reader.report(node, "mutation", `an assignment changes ${owner}`, scope, code);
  }
}
