import type { SyntaxNode } from "@lezer/common";
import type { CompareOperator, Node, UnaryTests } from "./node.js";
import { FeelSyntaxError } from "./node.js";
import { childrenOf } from "./read-type.js";

/** Deeper expressions would not fit on the stack. */
export const deepest = 250;

/** Reads the parts of an expression. */
export interface PartReader {
  /** @throws FeelSyntaxError for what is nested too deep */
  read(node: SyntaxNode): Node;
  /** @throws FeelSyntaxError for a child that is missing */
  child(children: readonly SyntaxNode[], index: number, parent: SyntaxNode): Node;
  text(node: SyntaxNode): string;
  /** For what is inside the parts. @throws FeelSyntaxError for what is nested too deep */
  deeper(node: SyntaxNode): PartReader;
}

export function readUnaryTests(top: SyntaxNode, reader: PartReader): UnaryTests {
  const children = childrenOf(top);
  if (children[0]?.name === "Wildcard") return { isAny: true, isNegated: false, tests: [] };
  const tests = children.flatMap((child) => testsIn(child, reader));
  return { isAny: false, isNegated: children[0]?.name === "not", tests };
}

function testsIn(node: SyntaxNode, reader: PartReader): readonly Node[] {
  if (node.name === "PositiveUnaryTest") return childrenOf(node).map((child) => reader.read(child));
  if (node.name !== "PositiveUnaryTests") return [];
  return childrenOf(node).flatMap((child) => testsIn(child, reader));
}

/** `> 5`, and an interval. */
export function readTest(node: SyntaxNode, reader: PartReader): Node {
  const interval = node.getChild("Interval");
  if (interval === null) return compareTest(node, reader.child(childrenOf(node), 1, node), reader);
  const parts = childrenOf(interval);
  const [open = interval] = parts;
  return {
    at: node.from,
    kind: "range",
    start: reader.child(parts, 1, interval),
    startIncluded: reader.text(open) === "[",
    end: reader.child(parts, 3, interval),
    endIncluded: reader.text(parts[4] ?? interval) === "]",
  };
}

function compareTest(node: SyntaxNode, endpoint: Node, reader: PartReader): Node {
  const operator = operatorOf(childrenOf(node)[0], node, reader);
  return { at: node.from, kind: "test", operator, endpoint };
}

/** Comparisons, and what joins them, as they are written. */
interface Chain {
  readonly terms: Node[];
  readonly operators: ("and" | "or")[];
}

/**
 * Reads a comparison, a conjunction or a disjunction. The grammar takes all that follows `in` for the test, `2 in [1] or true` for
 * `2 in ([1] or true)`: what a test begins with is compared, and the rest follows the comparison.
 */
export function readLogic(node: SyntaxNode, reader: PartReader): Node {
  const chain: Chain = { terms: [], operators: [] };
  collect(node, chain, reader);
  if (chain.terms.length > deepest)
    throw new FeelSyntaxError(`more than ${deepest} conditions are joined`, node.from);
  return joined(chain);
}

/** `and` binds more than `or`. */
function joined({ terms, operators }: Chain): Node {
  let any: Node | undefined;
  let all: Node | undefined;
  for (const [index, term] of terms.entries()) {
    if (all === undefined) all = term;
    else if (operators[index - 1] === "and") all = { at: all.at, kind: "and", left: all, right: term };
    else {
      any = any === undefined ? all : { at: any.at, kind: "or", left: any, right: all };
      all = term;
    }
  }
  const last = all ?? { at: 0, kind: "literal", value: null };
  return any === undefined ? last : { at: any.at, kind: "or", left: any, right: last };
}

/** @param compared - the comparison whose test the node begins with; the node itself begins with its first part if undefined */
function collect(node: SyntaxNode, chain: Chain, reader: PartReader, compared?: Compared): void {
  const children = childrenOf(node);
  const [first, sign, last] = children;
  const deeper = reader.deeper(node);
  if (node.name === "Conjunction" || node.name === "Disjunction") {
    if (first === undefined || last === undefined)
      throw new FeelSyntaxError("an expression is missing", node.to);
    collect(first, chain, deeper, compared);
    chain.operators.push(node.name === "Conjunction" ? "and" : "or");
    collect(last, chain, deeper);
  } else if (node.name === "Comparison" && sign?.name === "in" && last?.name === "PositiveUnaryTest") {
    const value = leftOf(node, deeper, compared);
    const [test = last] = childrenOf(last);
    const [, endpoint] = childrenOf(test);
    const meets = (only: Node): Node => ({ at: node.from, kind: "in", value, tests: [only] });
    if (test.name === "SimplePositiveUnaryTest" && endpoint !== undefined)
      collect(endpoint, chain, deeper, (end) => meets(compareTest(test, reader.read(end), reader)));
    else collect(test, chain, deeper, (only) => meets(reader.read(only)));
  } else chain.terms.push(beginning(node, reader, compared));
}

/** Makes a comparison with what its test begins with. */
type Compared = (first: SyntaxNode) => Node;

/** An expression without `and` and `or`, whose first part may be a test of what is before it. */
function beginning(node: SyntaxNode, reader: PartReader, compared: Compared | undefined): Node {
  if (node.name !== "Comparison") return compared === undefined ? reader.read(node) : compared(node);
  const left = leftOf(node, reader.deeper(node), compared);
  return readComparison(node, left, reader);
}

function leftOf(node: SyntaxNode, reader: PartReader, compared: Compared | undefined): Node {
  const [left] = childrenOf(node);
  if (left === undefined) throw new FeelSyntaxError("an expression is missing", node.to);
  return beginning(left, reader, compared);
}

function readComparison(node: SyntaxNode, left: Node, reader: PartReader): Node {
  const at = node.from;
  const children = childrenOf(node);
  const [, sign] = children;
  if (sign?.name === "between")
    return {
      at,
      kind: "between",
      value: left,
      low: reader.child(children, 2, node),
      high: reader.child(children, 4, node),
    };
  if (sign?.name === "in")
    return {
      at,
      kind: "in",
      value: left,
      tests: children.slice(2).flatMap((child) => testsIn(child, reader)),
    };
  const operator = operatorOf(sign, node, reader);
  return { at, kind: "compare", operator, left, right: reader.child(children, 2, node) };
}

function operatorOf(node: SyntaxNode | undefined, parent: SyntaxNode, reader: PartReader): CompareOperator {
  const operator = node === undefined ? "" : reader.text(node);
  if (!isCompare(operator)) throw new FeelSyntaxError(`unknown operator ${operator}`, parent.from);
  return operator;
}

function isCompare(text: string): text is CompareOperator {
  return text === "=" || text === "!=" || text === "<" || text === "<=" || text === ">" || text === ">=";
}
