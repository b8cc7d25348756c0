import type { AST } from "@eslint-community/regexpp";

/** How many characters the counted repetitions of a pattern may expand to. RE2 does not allow larger counts either. */
const maxRepeated = 1_000;
const maxDepth = 100;

/**
 * Refuses patterns that are far larger than they look. RE2 expands counted repetitions, so `(?:a{1,100}){1,100}` has 10,000
 * parts.
 *
 * @throws SyntaxError with a message that completes "a pattern with"
 */
export function checkSize({ alternatives }: AST.Pattern): void {
  if (repeatedParts(alternatives, false, 0) <= maxRepeated) return;
  throw new SyntaxError(
    `counted repetitions that stand for more than ${maxRepeated} characters (limit lengths with maxLength)`,
  );
}

function repeatedParts(alternatives: readonly AST.Alternative[], repeated: boolean, depth: number): number {
  if (depth > maxDepth) throw new SyntaxError(`groups nested more than ${maxDepth} deep`);
  let parts = 0;
  for (const { elements } of alternatives) {
    for (const element of elements) parts += partsOf(element, repeated, depth);
  }
  return repeated ? Math.max(1, parts) : parts;
}

function partsOf(element: AST.Element, repeated: boolean, depth: number): number {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      return repeatedParts(element.alternatives, repeated, depth + 1);
    case "Quantifier": {
      const { min, max } = element;
      const times = max === Number.POSITIVE_INFINITY ? min : max;
      return times > 1
        ? times * partsOf(element.element, true, depth)
        : partsOf(element.element, repeated, depth);
    }
    default:
      return repeated ? 1 : 0;
  }
}
