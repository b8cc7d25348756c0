import type { Node, ObjectExpression } from "oxc-parser";
import { keyOf, plain, type Sources } from "./find-functions.js";
import { type CodeReader, type Owned, RuleChecks, type RuleCode } from "./rule-checks.js";
import {
  type AnyFunction,
  childrenOf,
  isFunction,
  type Kind,
  Scope,
  type SourceFile,
} from "./source-file.js";

/** Something that a rule must not do. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: Kind;
  /** What was found, such as `Date.now`. */
  readonly what: string;
  /** The rule's id, where it is written as a text, and the function. */
  readonly rule: string;
}

const parts = ["when", "emit", "explain"];

const parameters = ["the input", "the profile", "the context"];

/** Reads modules, and in them the functions of rules with all that these call. */
export class RuleLinter implements CodeReader {
  readonly #sources: Sources;
  readonly #checks: RuleChecks;
  readonly #findings = new Map<string, Finding>();
  readonly #read = new Set<string>();
  readonly #rules = new Set<Node>();

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#checks = new RuleChecks(this, sources);
  }

  /** How many rules were found. */
  get rules(): number {
    return this.#rules.size;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  lint(file: SourceFile): void {
    const scope = this.#sources.scopeOf(file);
    for (const statement of file.program.body) this.#visit(statement, scope, undefined);
  }

  #visitAll(nodes: readonly Node[], scope: Scope, code: RuleCode | undefined): void {
    for (const node of nodes) this.#visit(node, scope, code);
  }

  #visit(node: Node, scope: Scope, code: RuleCode | undefined): void {
    const inner = plain(node);
    if (inner !== node) return this.#visit(inner, scope, code);
    // Types do nothing.
    if (node.type.startsWith("TS")) return;
    if (isFunction(node)) return this.readFunction(node, scope, code, []);
    switch (node.type) {
      case "BlockStatement":
      case "StaticBlock":
      case "SwitchStatement":
        return this.#visitAll(childrenOf(node), blockScope(node, scope), code);
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
        return this.#loop(node, scope, code);
      case "CatchClause": {
        const clause = new Scope(scope.file, scope);
        if (node.param !== null) clause.declare(node.param, {});
        return this.#visit(node.body, clause, code);
      }
      case "VariableDeclarator":
        if (node.init !== null) this.#visit(node.init, scope, code);
        return;
      case "ObjectExpression":
        if (isRule(node)) this.#rule(node, scope);
        break;
      case "Property":
        if (node.computed) this.#visit(node.key, scope, code);
        return this.#visit(node.value, scope, code);
      case "MethodDefinition":
      case "PropertyDefinition":
      case "AccessorProperty":
        if (node.value !== null) this.#visit(node.value, scope, code);
        return;
      case "LabeledStatement":
        return this.#visit(node.body, scope, code);
      case "ImportDeclaration":
      case "ExportAllDeclaration":
      case "BreakStatement":
      case "ContinueStatement":
      case "MetaProperty":
        return;
      default:
    }
    const read = code === undefined ? [] : this.#checks.check(node, scope, code);
    if (node.type === "Identifier") return;
    if (node.type !== "MemberExpression") {
      const children = childrenOf(node).filter((child) => !read.includes(child));
      return this.#visitAll(children, scope, code);
    }
    const object = plain(node.object);
    // The whole path has been checked.
    if (object.type !== "Identifier" || this.#isOwn(object.name, scope)) this.#visit(object, scope, code);
    if (node.computed) this.#visit(node.property, scope, code);
  }

  #isOwn(name: string, scope: Scope): boolean {
    const binding = scope.find(name);
    return binding !== undefined && binding.imported === undefined;
  }

  #loop(
    node: Extract<Node, { type: "ForStatement" | "ForInStatement" | "ForOfStatement" }>,
    scope: Scope,
    code: RuleCode | undefined,
  ): void {
    const loop = new Scope(scope.file, scope);
    if (node.type === "ForStatement") {
      if (node.init !== null) loop.hoist([node.init]);
    } else if (node.left.type === "VariableDeclaration") {
      for (const { id } of node.left.declarations) loop.declare(id, { partOf: node.right });
    }
    if (code !== undefined && node.type === "ForOfStatement" && node.await)
      this.report(node, "async", "for await", loop, code);
    this.#visitAll(childrenOf(node), loop, code);
  }

  readFunction(node: AnyFunction, scope: Scope, code: RuleCode | undefined, owned: Owned): void {
    const inner = new Scope(scope.file, scope);
    for (const [index, parameter] of node.params.entries()) inner.declare(parameter, { owner: owned[index] });
    if (code !== undefined && node.async) this.report(node, "async", "an async function", inner, code);
    this.#visitAll(node.params.flatMap(defaultsOf), inner, code);
    if (node.body !== null) this.#visit(node.body, inner, code);
  }

  #rule(node: ObjectExpression, scope: Scope): void {
    this.#rules.add(node);
    const values = new Map(
      node.properties.flatMap((property) =>
        property.type === "Property" ? [[keyOf(property), property.value] as const] : [],
      ),
    );
    const id = values.get("id");
    const name = id?.type === "Literal" ? `"${id.value}"` : `in line ${scope.file.placeOf(node.start).line}`;
    for (const part of parts) {
      const value = values.get(part);
      if (value === undefined) continue;
      const rule = `${part} of rule ${name}`;
      const found = this.#sources.functionOf(value, scope);
      if (found !== undefined)
        this.readFunction(found.node, found.scope, { rule, outside: found.scope }, parameters);
      // What makes the function takes part in it.
      else this.#visit(value, scope, { rule, outside: scope });
    }
  }

  follow(node: Node, scope: Scope, code: RuleCode, owned: Owned): void {
    const found = this.#sources.functionOf(node, scope);
    if (found === undefined || isFunction(node)) return;
    // A function inside the rule is read where it stands.
    const isInside = found.scope !== code.outside && found.scope.isWithin(code.outside) && owned.length === 0;
    const key = `${found.scope.file.name} ${found.node.start} ${owned.join()}`;
    if (isInside || this.#read.has(key)) return;
    this.#read.add(key);
    const outside = found.scope.isWithin(code.outside) ? code.outside : found.scope;
    this.readFunction(found.node, found.scope, { ...code, outside }, owned);
  }

  report(node: Node, kind: Kind, what: string, scope: Scope, { rule }: RuleCode): void {
    const { file } = scope;
    const { line, column } = file.placeOf(node.start);
    const key = `${file.name} ${node.start} ${kind}`;
    if (this.#findings.has(key) || file.isAllowed(kind, line)) return;
    this.#findings.set(key, { file: file.name, line, column, kind, what, rule });
  }
}

/** An object with the functions that a rule has. */
function isRule({ properties }: ObjectExpression): boolean {
  const keys = properties.flatMap((property) => (property.type === "Property" ? [keyOf(property)] : []));
  return keys.includes("when") && keys.includes("emit");
}

/** A block's own scope, with what is declared in it. */
function blockScope(
  node: Extract<Node, { type: "BlockStatement" | "StaticBlock" | "SwitchStatement" }>,
  scope: Scope,
): Scope {
  const block = new Scope(scope.file, scope);
  block.hoist(
    node.type === "SwitchStatement" ? node.cases.flatMap(({ consequent }) => consequent) : node.body,
  );
  return block;
}

function defaultsOf(parameter: Node): readonly Node[] {
  return parameter.type === "AssignmentPattern" ? [parameter.right] : [];
}
