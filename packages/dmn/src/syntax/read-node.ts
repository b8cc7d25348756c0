import type { SyntaxNode } from "@lezer/common";
import { canonicalName } from "../values/text.js";
import { unquoted } from "./literal-text.js";
import {
  type ArithmeticOperator,
  FeelSyntaxError,
  type Iteration,
  type NamedNode,
  type Node,
} from "./node.js";
import { deepest, type PartReader, readLogic, readTest } from "./read-logic.js";
import { childrenOf, nameIn, readType, type Source, textOf } from "./read-type.js";

export function nodeReader(source: Source): PartReader {
  return new Reader(source, 0);
}

class Reader implements PartReader {
  readonly #source: Source;
  readonly #depth: number;

  constructor(source: Source, depth: number) {
    this.#source = source;
    this.#depth = depth;
  }

  read(node: SyntaxNode): Node {
    return this.deeper(node).#node(node);
  }

  deeper(node: SyntaxNode): Reader {
    if (this.#depth > deepest) throw new FeelSyntaxError(`nested more than ${deepest} deep`, node.from);
    return new Reader(this.#source, this.#depth + 1);
  }

  #node(node: SyntaxNode): Node {
    const at = node.from;
    const children = childrenOf(node);
    const part = (index: number) => this.child(children, index, node);
    switch (node.name) {
      case "null":
        return { at, kind: "literal", value: null };
      case "BooleanLiteral":
        return { at, kind: "literal", value: this.text(node) === "true" };
      case "StringLiteral":
        return { at, kind: "literal", value: unquoted(this.text(node)) };
      case "NumericLiteral":
        return this.#number(node);
      case "DateTimeLiteral":
        return this.#dateTime(node, children);
      case "VariableName":
      case "?":
        return { at, kind: "name", name: canonicalName(this.text(node)) };
      case "ParenthesizedExpression":
        return part(1);
      case "PathExpression":
        return { at, kind: "path", of: part(0), name: nameIn(node, "PathName", this.#source) };
      case "FilterExpression":
        return { at, kind: "filter", of: part(0), condition: part(2) };
      case "FunctionInvocation":
        return this.#invocation(node, children);
      case "ArithmeticExpression":
        return this.#arithmetic(node, children);
      case "Comparison":
      case "Conjunction":
      case "Disjunction":
        return readLogic(node, this);
      case "InstanceOfExpression":
        return { at, kind: "instanceOf", value: part(0), type: this.#type(node) };
      case "IfExpression":
        return { at, kind: "if", condition: part(1), then: part(3), otherwise: part(5) };
      case "ForExpression":
        return { at, kind: "for", ...this.#iteration(node, children) };
      case "QuantifiedExpression":
        return {
          at,
          kind: children[0]?.name === "every" ? "every" : "some",
          ...this.#iteration(node, children),
        };
      case "List":
        return { at, kind: "list", items: children.slice(1, -1).map((child) => this.read(child)) };
      case "Context":
        return {
          at,
          kind: "context",
          entries: node.getChildren("ContextEntry").map((entry) => this.#entry(entry)),
        };
      case "FunctionDefinition":
        return this.#definition(node);
      case "SimplePositiveUnaryTest":
        return readTest(node, this);
      default:
        throw new FeelSyntaxError(`unexpected ${node.name}`, at);
    }
  }

  text(node: SyntaxNode): string {
    return textOf(node, this.#source);
  }

  child(children: readonly SyntaxNode[], index: number, parent: SyntaxNode): Node {
    const child = children[index];
    if (child === undefined) throw new FeelSyntaxError("an expression is missing", parent.to);
    return this.read(child);
  }

  #type(node: SyntaxNode) {
    const type = node.getChild("Type");
    if (type === null) throw new FeelSyntaxError("a type is missing", node.to);
    return readType(type, this.#source);
  }

  #number(node: SyntaxNode): Node {
    const value = Number(this.text(node).replace(/^-\s*/, "-"));
    if (!Number.isFinite(value)) throw new FeelSyntaxError("a number that is too large", node.from);
    return { at: node.from, kind: "literal", value: value === 0 ? 0 : value };
  }

  #dateTime(node: SyntaxNode, children: readonly SyntaxNode[]): Node {
    const [first] = children;
    if (first?.name === "AtLiteral")
      return { at: node.from, kind: "at", text: unquoted(this.text(first).replace(/^@\s*/, "")) };
    return this.#invocation(node, children);
  }

  #invocation(node: SyntaxNode, children: readonly SyntaxNode[]): Node {
    const [called] = children;
    if (called === undefined) throw new FeelSyntaxError("a function is missing", node.from);
    const at = node.from;
    const callee: Node =
      called.name === "DateTimeConstructor" || called.name === "SpecialFunctionName"
        ? { at, kind: "name", name: canonicalName(this.text(called)) }
        : this.read(called);
    const named = node.getChild("NamedParameters");
    if (named !== null) {
      const args = named.getChildren("NamedParameter").map((parameter) => ({
        name: nameIn(parameter, "ParameterName", this.#source),
        value: this.child(childrenOf(parameter), 1, parameter),
      }));
      return { at, kind: "callNamed", callee, args };
    }
    const positional = node.getChild("PositionalParameters");
    const args = positional === null ? [] : childrenOf(positional).map((child) => this.read(child));
    return { at, kind: "call", callee, args };
  }

  #arithmetic(node: SyntaxNode, children: readonly SyntaxNode[]): Node {
    const at = node.from;
    if (children[0]?.name === "ArithOp") {
      const of = this.child(children, 1, node);
      if (this.text(children[0]) === "+") return of;
      return { at, kind: "negate", of };
    }
    const symbol = children[1] === undefined ? "" : this.text(children[1]);
    const operator = symbol === "^" ? "**" : symbol;
    if (!isArithmetic(operator)) throw new FeelSyntaxError(`unknown operator ${operator}`, at);
    return {
      at,
      kind: "arithmetic",
      operator,
      left: this.child(children, 0, node),
      right: this.child(children, 2, node),
    };
  }

  #iteration(node: SyntaxNode, children: readonly SyntaxNode[]) {
    const list = node.getChild("InExpressions")?.getChildren("InExpression") ?? [];
    const iterations = list.map((each): Iteration => {
      const parts = childrenOf(each.getChild("IterationContext") ?? each);
      return {
        name: nameIn(each, "Name", this.#source),
        from: this.child(parts, 0, each),
        to: parts.length > 1 ? this.child(parts, 2, each) : undefined,
      };
    });
    return { iterations, body: this.child(children, 3, node) };
  }

  #entry(entry: SyntaxNode): NamedNode {
    const key = entry.getChild("Key");
    const literal = key?.getChild("StringLiteral");
    const name =
      literal === null || literal === undefined
        ? nameIn(key ?? entry, "Name", this.#source)
        : unquoted(this.text(literal));
    return { name, value: this.child(childrenOf(entry), 1, entry) };
  }

  #definition(node: SyntaxNode): Node {
    const parameters = node.getChild("FormalParameters")?.getChildren("FormalParameter") ?? [];
    const body = node.getChild("FunctionBody");
    return {
      at: node.from,
      kind: "function",
      parameters: parameters.map((parameter) => ({
        name: nameIn(parameter, "ParameterName", this.#source),
        type: parameter.getChild("Type") === null ? undefined : this.#type(parameter),
      })),
      body: this.child(body === null ? [] : childrenOf(body), 0, node),
      isExternal: node.getChild("external") !== null,
    };
  }
}

function isArithmetic(text: string): text is ArithmeticOperator {
  return text === "+" || text === "-" || text === "*" || text === "/" || text === "**";
}
