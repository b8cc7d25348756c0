import type { Expression, Node } from "oxc-parser";
import type { SourceFile } from "./source-file.js";
import { type AnyFunction, type Binding, isFunction, nameOf, Scope } from "./source-file.js";

/** A function, and the scope that it is in. */
export interface FoundFunction {
  readonly node: AnyFunction;
  readonly scope: Scope;
}

/** More are a chain of files that import each other. */
const mostHops = 50;

/** An expression without what only TypeScript sees. */
export function plain(node: Node): Node {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
    case "TSInstantiationExpression":
    case "ChainExpression":
      return plain(node.expression);
    default:
      return node;
  }
}

/** The name of a member; undefined for one that is computed. */
export function memberName(node: Extract<Node, { type: "MemberExpression" }>): string | undefined {
  if (node.property.type === "Identifier" && !node.computed) return node.property.name;
  return node.property.type === "Literal" && typeof node.property.value === "string"
    ? node.property.value
    : undefined;
}

/** The files that are linted, and those that they import. */
export class Sources {
  readonly #files: ReadonlyMap<string, SourceFile>;
  readonly #scopes = new Map<SourceFile, Scope>();

  /** @param files - by their paths */
  constructor(files: ReadonlyMap<string, SourceFile>) {
    this.#files = files;
  }

  /** The scope of a module. */
  scopeOf(file: SourceFile): Scope {
    const known = this.#scopes.get(file);
    if (known !== undefined) return known;
    const scope = new Scope(file);
    scope.hoist(file.program.body);
    this.#scopes.set(file, scope);
    return scope;
  }

  /** The function that an expression is, as far as it is in these files. */
  functionOf(expression: Node, scope: Scope, hops = 0): FoundFunction | undefined {
    const node = plain(expression);
    if (isFunction(node)) return { node, scope };
    if (hops > mostHops) return undefined;
    if (node.type === "Identifier") {
      const binding = this.origin(scope.find(node.name), hops);
      return binding?.value === undefined
        ? undefined
        : this.functionOf(binding.value, binding.scope, hops + 1);
    }
    const name = node.type === "MemberExpression" ? memberName(node) : undefined;
    if (node.type !== "MemberExpression" || name === undefined) return undefined;
    return this.#memberOf(node.object, name, scope, hops + 1);
  }

  #memberOf(object: Expression, name: string, scope: Scope, hops: number): FoundFunction | undefined {
    const node = plain(object);
    if (node.type !== "Identifier") return undefined;
    const binding = scope.find(node.name);
    if (binding?.imported?.name === "*") {
      const found = this.#exported(binding.scope.file, binding.imported.from, name, hops);
      return found?.value === undefined ? undefined : this.functionOf(found.value, found.scope, hops);
    }
    const origin = this.origin(binding, hops);
    const value = origin?.value === undefined ? undefined : plain(origin.value);
    if (origin === undefined || value?.type !== "ObjectExpression") return undefined;
    for (const property of value.properties) {
      if (property.type === "Property" && keyOf(property) === name)
        return this.functionOf(property.value, origin.scope, hops);
    }
    return undefined;
  }

  /** What a binding stands for in the file that it is imported from; itself, where that file is not ours. */
  origin(binding: Binding | undefined, hops = 0): Binding | undefined {
    if (binding?.imported === undefined) return binding;
    const { from, name } = binding.imported;
    return this.#exported(binding.scope.file, from, name, hops) ?? binding;
  }

  #exported(importer: SourceFile, from: string, name: string, hops: number): Binding | undefined {
    const file = this.#files.get(importer.imports.get(from) ?? "");
    if (file === undefined || hops > mostHops) return undefined;
    const scope = this.scopeOf(file);
    for (const statement of file.program.body) {
      if (statement.type === "ExportDefaultDeclaration" && name === "default")
        return { scope, value: statement.declaration };
      if (statement.type === "ExportAllDeclaration" && statement.exported === null) {
        const found = this.#exported(file, statement.source.value, name, hops + 1);
        if (found !== undefined) return found;
      }
      if (statement.type !== "ExportNamedDeclaration") continue;
      const specifier = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (specifier !== undefined)
        return statement.source === null
          ? this.origin(scope.find(nameOf(specifier.local)), hops + 1)
          : this.#exported(file, statement.source.value, nameOf(specifier.local), hops + 1);
      const isDeclared = statement.declaration !== null && scope.find(name) !== undefined;
      if (isDeclared) return scope.find(name);
    }
    return undefined;
  }
}

/** The name of a property; undefined for one that is computed. */
export function keyOf(property: Extract<Node, { type: "Property" }>): string | undefined {
  if (property.computed) return undefined;
  if (property.key.type === "Identifier") return property.key.name;
  return property.key.type === "Literal" ? String(property.key.value) : undefined;
}
