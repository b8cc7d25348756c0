import {
  type ArrowFunctionExpression,
  type BindingPattern,
  type Function as FunctionNode,
  type Node,
  type ParamPattern,
  type Program,
  parseSync,
  visitorKeys,
} from "oxc-parser";
import { CommandError } from "../command-line/command.js";

/** What rules must not do. */
export type Kind = "clock" | "random" | "io" | "mutation" | "async";

/** A parsed source. */
export interface SourceFile {
  /** As the user would name it. */
  readonly name: string;
  /** The paths of relative imports, by what is written. */
  readonly imports: ReadonlyMap<string, string>;
  readonly program: Program;
  /** Line and column of an offset, from 1. */
  placeOf(offset: number): { readonly line: number; readonly column: number };
  /** Whether a comment on a line, or on the line before, allows a finding: `// decern-lint-ignore clock: why`. */
  isAllowed(kind: Kind, line: number): boolean;
}

const directive = /^\s*decern-lint-ignore\s+([a-z]+):\s*\S/;

/** @throws CommandError for a text that is not JavaScript or TypeScript */
export function parseSource(name: string, text: string, imports: SourceFile["imports"]): SourceFile {
  const { program, comments, errors } = parseSync(name, text, { preserveParens: false });
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const placeOf = (offset: number) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
  const [error] = errors;
  if (error !== undefined) {
    const { line } = placeOf(error.labels[0]?.start ?? 0);
    throw new CommandError(`${name}, line ${line}: ${error.message}`);
  }
  const allowed = new Set(
    comments.flatMap(({ value, end }) => {
      const kind = directive.exec(value)?.[1];
      return kind === undefined ? [] : [`${kind} ${placeOf(end).line}`];
    }),
  );
  const isAllowed = (kind: Kind, line: number) =>
    allowed.has(`${kind} ${line}`) || allowed.has(`${kind} ${line - 1}`);
  return { name, imports, program, placeOf, isAllowed };
}

/** What a module imports and exports again by a relative path, and what it imports while it runs. */
export function relativeImports(program: Program): readonly string[] {
  return program.body.flatMap((statement) => {
    const source = "source" in statement ? statement.source?.value : undefined;
    return source?.startsWith(".") === true ? [source] : [];
  });
}

/** The nodes directly inside a node, in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  return (visitorKeys[node.type] ?? []).flatMap((key) => {
    const value: unknown = Reflect.get(node, key);
    // The parser's keys are those of the members that are nodes, lists of nodes with holes, or null.
    const nodes = (Array.isArray(value) ? value : [value]) as readonly (Node | null | undefined)[];
    return nodes.filter((child) => child !== null && child !== undefined);
  });
}

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
