import type { AST } from "@eslint-community/regexpp";
import { type CodePoints, codePointsOf, overlap, toCodePoints } from "./code-points.js";

/**
 * Whether the next character alone decides every choice of a pattern: which alternative to match, and whether a repetition
 * continues or ends. Parsers call this LL(1). A backtracking matcher is then safe: every choice it did not make fails on its
 * first character, so backtracking costs one step per character read. From one start it runs in time proportional to what
 * it reads. There is only one start if the pattern starts with `^`; otherwise no repetition may be unbounded.
 */
export function isDeterministic({ alternatives }: AST.Pattern): boolean {
  const [alternative, second] = alternatives;
  if (alternative === undefined || second !== undefined) return false;
  const { elements } = alternative;
  const anchored = isAssertion(elements[0], "start");
  const ended = isAssertion(elements.at(-1), "end");
  const inner = elements.slice(anchored ? 1 : 0, ended ? -1 : undefined);
  return (anchored || !inner.some(isEndless)) && decidesSequence(inner, []);
}

/** The characters that a part can start with, and whether it can match the empty text. */
interface Beginning {
  readonly first: CodePoints;
  readonly optional: boolean;
}

/** @param next - the characters that can follow the parts */
function decidesSequence(elements: readonly AST.Element[], next: CodePoints): boolean {
  let after = next;
  for (const element of [...elements].reverse()) {
    if (!decides(element, after)) return false;
    after = before(element, after);
  }
  return true;
}

function decides(element: AST.Element, next: CodePoints): boolean {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return true;
    case "Group":
      return element.modifiers === null && decidesAlternatives(element.alternatives, next);
    case "CapturingGroup":
      return decidesAlternatives(element.alternatives, next);
    case "Quantifier": {
      const { first, optional } = beginning(element.element);
      if (optional || (element.min !== element.max && overlap(first, next))) return false;
      return decides(element.element, element.max > 1 ? toCodePoints([...first, ...next]) : next);
    }
    default:
      return false;
  }
}

function decidesAlternatives(alternatives: readonly AST.Alternative[], next: CodePoints): boolean {
  let taken: CodePoints = [];
  for (const { elements } of alternatives) {
    const { first, optional } = beginningOf(elements);
    if (overlap(taken, first) || (optional && alternatives.length > 1)) return false;
    if (!decidesSequence(elements, next)) return false;
    taken = toCodePoints([...taken, ...first]);
  }
  return true;
}

const beginnings = new WeakMap<AST.Element, Beginning>();

function beginning(element: AST.Element): Beginning {
  let known = beginnings.get(element);
  if (known === undefined) {
    known = read(element);
    beginnings.set(element, known);
  }
  return known;
}

function read(element: AST.Element): Beginning {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return { first: codePointsOf(element), optional: false };
    case "Group":
    case "CapturingGroup": {
      const all = element.alternatives.map(({ elements }) => beginningOf(elements));
      return {
        first: toCodePoints(all.flatMap(({ first }) => first)),
        optional: all.some(({ optional }) => optional),
      };
    }
    case "Quantifier": {
      const { first, optional } = beginning(element.element);
      return { first, optional: optional || element.min === 0 };
    }
    default:
      return { first: [], optional: true };
  }
}

function beginningOf(elements: readonly AST.Element[]): Beginning {
  let first: CodePoints = [];
  for (const element of elements) {
    const own = beginning(element);
    first = toCodePoints([...first, ...own.first]);
    if (!own.optional) return { first, optional: false };
  }
  return { first, optional: true };
}

/** The characters that can come next when an element is still to be matched. */
function before(element: AST.Element, next: CodePoints): CodePoints {
  const { first, optional } = beginning(element);
  return optional ? toCodePoints([...first, ...next]) : first;
}

function isAssertion(element: AST.Element | undefined, kind: "start" | "end"): boolean {
  return element?.type === "Assertion" && element.kind === kind;
}

function isEndless(element: AST.Element): boolean {
  switch (element.type) {
    case "Quantifier":
      return element.max === Number.POSITIVE_INFINITY || isEndless(element.element);
    case "Group":
    case "CapturingGroup":
      return element.alternatives.some(({ elements }) => elements.some(isEndless));
    default:
      return false;
  }
}
