import type { AST } from "@eslint-community/regexpp";
import { type CodePoints, codePointsOf, lastCodePoint } from "./code-points.js";

/**
 * Writes a pattern in RE2 syntax that matches the same texts. Character sets become lists of ranges, and `^` and `$` become
 * `\A` and `\z`, because the two languages define the short forms differently. Groups do not capture and repetitions are
 * greedy; neither affects whether a text matches.
 *
 * @throws SyntaxError if a part of the pattern needs backtracking, with a message that completes "a pattern with"
 */
export function toRe2Text({ alternatives }: AST.Pattern): string {
  return alternativesText(alternatives);
}

function alternativesText(alternatives: readonly AST.Alternative[]): string {
  return alternatives.map(({ elements }) => elements.map(elementText).join("")).join("|");
}

function elementText(element: AST.Element): string {
  switch (element.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return classText(codePointsOf(element));
    case "Group":
      if (element.modifiers !== null) throw new SyntaxError(`the modifiers "${element.modifiers.raw}"`);
      return `(?:${alternativesText(element.alternatives)})`;
    case "CapturingGroup":
      return `(?:${alternativesText(element.alternatives)})`;
    case "Quantifier":
      return `(?:${elementText(element.element)})${countText(element)}`;
    case "Assertion":
      return assertionText(element);
    case "Backreference":
      throw new SyntaxError(`the backreference "${element.raw}"`);
    case "ExpressionCharacterClass":
      throw new SyntaxError(`"${element.raw}", which needs the v flag`);
  }
}

function assertionText(assertion: AST.Assertion): string {
  switch (assertion.kind) {
    case "start":
      return "\\A";
    case "end":
      return "\\z";
    case "word":
      return assertion.negate ? "\\B" : "\\b";
    default:
      throw new SyntaxError(`the ${assertion.kind} "${assertion.raw}"`);
  }
}

function countText({ min, max }: AST.Quantifier): string {
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
}

function classText(codePoints: CodePoints): string {
  // RE2 rejects an empty class. A class that excludes every character means the same.
  if (codePoints.length === 0) return `[^\\x{0}-${escaped(lastCodePoint)}]`;
  return `[${codePoints.map(([min, max]) => `${escaped(min)}-${escaped(max)}`).join("")}]`;
}

function escaped(codePoint: number): string {
  return `\\x{${codePoint.toString(16)}}`;
}
