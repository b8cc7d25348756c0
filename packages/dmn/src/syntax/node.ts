/** An expression of FEEL. `at` is its offset in the text. */
export type Node = { readonly at: number } & (
  | { readonly kind: "literal"; readonly value: null | boolean | number | string }
  /** `@"2026-11-24"` */
  | { readonly kind: "at"; readonly text: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "path"; readonly of: Node; readonly name: string }
  | { readonly kind: "filter"; readonly of: Node; readonly condition: Node }
  | { readonly kind: "call"; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly kind: "callNamed"; readonly callee: Node; readonly args: readonly NamedNode[] }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: "negate"; readonly of: Node }
  | {
      readonly kind: "compare";
      readonly operator: CompareOperator;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: "between"; readonly value: Node; readonly low: Node; readonly high: Node }
  | { readonly kind: "in"; readonly value: Node; readonly tests: readonly Node[] }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly kind: "if"; readonly condition: Node; readonly then: Node; readonly otherwise: Node }
  | {
      readonly kind: "for" | "some" | "every";
      readonly iterations: readonly Iteration[];
      readonly body: Node;
    }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "context"; readonly entries: readonly NamedNode[] }
  | {
      readonly kind: "function";
      readonly parameters: readonly { readonly name: string; readonly type: TypeNode | undefined }[];
      readonly body: Node;
      readonly isExternal: boolean;
    }
  | {
      readonly kind: "range";
      readonly start: Node;
      readonly startIncluded: boolean;
      readonly end: Node;
      readonly endIncluded: boolean;
    }
  /** `> 5`: a test of a cell, and a range elsewhere. */
  | { readonly kind: "test"; readonly operator: CompareOperator; readonly endpoint: Node }
  | { readonly kind: "instanceOf"; readonly value: Node; readonly type: TypeNode }
);

export type NodeOf<Kind extends Node["kind"]> = Extract<Node, { kind: Kind }>;

export interface NamedNode {
  readonly name: string;
  readonly value: Node;
}

export interface Iteration {
  readonly name: string;
  readonly from: Node;
  /** The other end of `1..10`. */
  readonly to: Node | undefined;
}

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "**";
export type CompareOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type TypeNode =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list" | "range"; readonly of: TypeNode }
  | {
      readonly kind: "context";
      readonly entries: readonly { readonly name: string; readonly type: TypeNode }[];
    }
  | { readonly kind: "function"; readonly parameters: readonly TypeNode[]; readonly result: TypeNode };

/** What a cell of a decision table tests. */
export interface UnaryTests {
  /** `-`: every value meets it. */
  readonly isAny: boolean;
  /** `not(…)` */
  readonly isNegated: boolean;
  readonly tests: readonly Node[];
}

/** An expression that FEEL's grammar does not have. */
export class FeelSyntaxError extends Error {
  override readonly name = "FeelSyntaxError";
  /** Where, in UTF-16 code units. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
