import type { Node, UnaryTests } from "../syntax/node.js";

/** One test of a cell that depends on nothing but the value. */
type ConstantTest =
  | { readonly value: string | boolean }
  | {
      readonly low: number;
      readonly lowIncluded: boolean;
      readonly high: number;
      readonly highIncluded: boolean;
    };

/** Of which a value must meet one. */
export type ConstantTests = "any" | readonly ConstantTest[];

/** @returns undefined if a test is not a constant, or of a kind that an index can't hold */
export function constantTests({ isAny, isNegated, tests }: UnaryTests): ConstantTests | undefined {
  if (isAny) return "any";
  if (isNegated) return undefined;
  const constants = tests.map(constantTest).filter((test) => test !== undefined);
  return constants.length === tests.length ? constants : undefined;
}

function constantTest(node: Node): ConstantTest | undefined {
  if (node.kind === "literal") return equalTo(node.value);
  if (node.kind === "range") {
    const [low, high] = [numberOf(node.start), numberOf(node.end)];
    if (low === undefined || high === undefined) return undefined;
    return { low, lowIncluded: node.startIncluded, high, highIncluded: node.endIncluded };
  }
  const end = node.kind === "test" ? numberOf(node.endpoint) : undefined;
  if (node.kind !== "test" || end === undefined) return undefined;
  const isIncluded = node.operator.includes("=");
  switch (node.operator) {
    case "=":
      return equalTo(end);
    case "<":
    case "<=":
      return { low: Number.NEGATIVE_INFINITY, lowIncluded: true, high: end, highIncluded: isIncluded };
    case ">":
    case ">=":
      return { low: end, lowIncluded: isIncluded, high: Number.POSITIVE_INFINITY, highIncluded: true };
    default:
      return undefined;
  }
}

function equalTo(value: null | boolean | number | string): ConstantTest | undefined {
  if (value === null) return undefined;
  if (typeof value !== "number") return { value };
  return { low: value, lowIncluded: true, high: value, highIncluded: true };
}

function numberOf(node: Node): number | undefined {
  return node.kind === "literal" && typeof node.value === "number" ? node.value : undefined;
}
