import type {
  ArrowFunctionExpression,
  BindingPattern,
  Function as FunctionNode,
  Node,
  ParamPattern,
} from "oxc-parser";
import type { SourceFile } from "./source-file.js";

export type AnyFunction = FunctionNode | ArrowFunctionExpression;

export function isFunction(node: Node): node is AnyFunction {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

/** What a name stands for. */
export interface Binding {
  readonly scope: Scope;
  /** The expression or declaration that it is. */
  readonly value?: Node | undefined;
  /** The expression that it is a part of, such as that of a destructuring or a loop. */
  readonly partOf?: Node | undefined;
  readonly imported?: { readonly from: string; readonly name: string } | undefined;
  /** Whose value it is, or is a part of: `the input`. */
  readonly owner?: string | undefined;
}

/** The names of a module, function or block. */
export class Scope {
  readonly file: SourceFile;
  readonly parent: Scope | undefined;
  readonly #bindings = new Map<string, Binding>();

  constructor(file: SourceFile, parent?: Scope) {
    this.file = file;
    this.parent = parent;
  }

  find(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.parent?.find(name);
  }

  /** Whether a scope is this one, or one that this one is in. */
  isWithin(outer: Scope): boolean {
    return this === outer || this.parent?.isWithin(outer) === true;
  }

  /** Declares the names of a pattern. */
  declare(pattern: BindingPattern | ParamPattern, about: Omit<Binding, "scope">): void {
    const part = { partOf: about.value ?? about.partOf, owner: about.owner };
    switch (pattern.type) {
      case "Identifier":
        this.#bindings.set(pattern.name, { scope: this, ...about });
        break;
      case "AssignmentPattern":
        this.declare(pattern.left, about);
        break;
      case "ObjectPattern":
        for (const property of pattern.properties) {
          // What is left over is a new object.
          if (property.type === "RestElement") this.declare(property.argument, {});
          else this.declare(property.value, part);
        }
        break;
      case "ArrayPattern":
        for (const element of pattern.elements) {
          if (element?.type === "RestElement") this.declare(element.argument, {});
          else if (element !== null) this.declare(element, part);
        }
        break;
      case "RestElement":
        this.declare(pattern.argument, {});
        break;
      case "TSParameterProperty":
        this.declare(pattern.parameter, about);
        break;
    }
  }

  /** Declares what the statements of a module or block declare: it is known before they run. */
  hoist(statements: readonly Node[]): void {
    for (const statement of statements) this.#hoistOne(statement);
  }

  #hoistOne(statement: Node): void {
    switch (statement.type) {
      case "VariableDeclaration":
        for (const { id, init } of statement.declarations) this.declare(id, { value: init ?? undefined });
        break;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        if (statement.id !== null) this.declare(statement.id, { value: statement });
        break;
      case "TSEnumDeclaration":
        this.declare(statement.id, {});
        break;
      case "ImportDeclaration":
        for (const specifier of statement.specifiers) {
          const from = statement.source.value;
          this.declare(specifier.local, { imported: { from, name: importedName(specifier) } });
        }
        break;
      case "ExportNamedDeclaration":
      case "ExportDefaultDeclaration":
        if (statement.declaration !== null) this.#hoistOne(statement.declaration);
        break;
      default:
    }
  }
}

type Specifier = Extract<
  Node,
  { type: "ImportSpecifier" | "ImportDefaultSpecifier" | "ImportNamespaceSpecifier" }
>;

function importedName(specifier: Specifier): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  return specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
}

/** A name in an import or export. */
export function nameOf(node: { readonly name: string } | { readonly value: string }): string {
  return "name" in node ? node.name : node.value;
}
