import type { SyntaxNode, Tree } from "@lezer/common";
import { parser, trackVariables } from "lezer-feel";
import { literalNode, literalTests } from "./literal-text.js";
import type { Node, UnaryTests } from "./node.js";
import { FeelSyntaxError } from "./node.js";
import { readUnaryTests } from "./read-logic.js";
import { nodeReader } from "./read-node.js";

/** The names that an expression may use, with those that their values are known to have. */
export interface Names {
  readonly [name: string]: Names | 1;
}

/** Expressions are of a screen's size. The grammar looks at every name in sight at every word. */
const longest = 20_000;

/** Reads expressions in which the same names are known. */
export class Grammar {
  readonly #expressions: typeof parser;
  readonly #unaryTests: typeof parser;

  constructor(names: Names) {
    const contextTracker = trackVariables(names);
    this.#expressions = parser.configure({ contextTracker });
    this.#unaryTests = parser.configure({ contextTracker, top: "UnaryTests" });
  }

  /** @throws FeelSyntaxError */
  expression(text: string): Node {
    const literal = literalNode(text);
    if (literal !== undefined) return literal;
    const { source, tree, ranges } = parsed(this.#expressions, text);
    return nodeReader({ source, ranges }).read(onlyChild(tree));
  }

  /** @throws FeelSyntaxError */
  unaryTests(text: string): UnaryTests {
    const literal = literalTests(text);
    if (literal !== undefined) return literal;
    const { source, tree, ranges } = parsed(this.#unaryTests, text);
    return readUnaryTests(tree.topNode, nodeReader({ source, ranges }));
  }
}

interface Parsed {
  readonly source: string;
  readonly tree: Tree;
  readonly ranges: ReadonlySet<number>;
}

function parsed(configured: typeof parser, text: string): Parsed {
  if (text.length > longest) throw new FeelSyntaxError(`longer than ${longest} characters`, 0);
  const tree = configured.parse(text);
  const error = firstError(tree);
  if (error === undefined) return { source: text, tree, ranges: new Set() };
  // The grammar has no `range<T>`: it is read as a list, and its place remembered.
  const { source, ranges } = withoutRangeTypes(text);
  const again = ranges.size === 0 ? tree : configured.parse(source);
  const problem = ranges.size === 0 ? error : firstError(again);
  if (problem === undefined) return { source, tree: again, ranges };
  const found = text.slice(problem.from, problem.from + 20);
  throw new FeelSyntaxError(
    found === "" ? "unexpected end" : `unexpected ${JSON.stringify(found)}`,
    problem.from,
  );
}

function firstError(tree: Tree): { readonly from: number } | undefined {
  let error: { readonly from: number } | undefined;
  tree.iterate({
    enter(node) {
      if (node.type.isError) error ??= { from: node.from };
      return error === undefined;
    },
  });
  return error;
}

const rangeType = /"(?:[^"\\]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|\brange(?=\s*<)/g;

function withoutRangeTypes(text: string): { readonly source: string; readonly ranges: ReadonlySet<number> } {
  const ranges = new Set<number>();
  const source = text.replace(rangeType, (found, at: number) => {
    if (found !== "range") return found;
    ranges.add(at + 1);
    return " list";
  });
  return { source, ranges };
}

function onlyChild(tree: Tree): SyntaxNode {
  const child = tree.topNode.firstChild;
  if (child === null) throw new FeelSyntaxError("no expression", 0);
  let node = child;
  while (node.name.endsWith("Comment")) {
    if (node.nextSibling === null) throw new FeelSyntaxError("no expression", 0);
    node = node.nextSibling;
  }
  return node;
}
