import type { AST } from "@eslint-community/regexpp";
import { type CodePointRange, type CodePoints, complement, toCodePoints } from "./code-points.js";
import { propertyCodePoints } from "./property-code-points.js";

/** A part of a pattern that matches one character. */
export type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

const digits = toCodePoints([range("09")]);
const word = toCodePoints([range("09"), range("AZ"), range("__"), range("az")]);
const lineEnds = toCodePoints([range("\n\n"), range("\r\r"), range("\u2028\u2029")]);
/** White space and line ends, as ECMAScript lists them. */
const spaces = toCodePoints([
  range("\t\r"),
  range("  "),
  range("\u00a0\u00a0"),
  range("\u1680\u1680"),
  range("\u2000\u200a"),
  range("\u2028\u2029"),
  range("\u202f\u202f"),
  range("\u205f\u205f"),
  range("\u3000\u3000"),
  range("\ufeff\ufeff"),
]);

/** The characters that a node matches under the `u` flag. */
export function codePointsOf(node: CharacterNode): CodePoints {
  switch (node.type) {
    case "Character":
      return [[node.value, node.value]];
    case "CharacterSet":
      return ofSet(node);
    case "CharacterClass": {
      const listed = toCodePoints(node.elements.flatMap(ofElement));
      return node.negate ? complement(listed) : listed;
    }
  }
}

function ofElement(element: AST.CharacterClass["elements"][number]): CodePoints {
  switch (element.type) {
    case "CharacterClassRange":
      return [[element.min.value, element.max.value]];
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return codePointsOf(element);
    default:
      throw new SyntaxError(`"${element.raw}" needs the v flag`);
  }
}

function ofSet(node: AST.CharacterSet): CodePoints {
  switch (node.kind) {
    case "any":
      return complement(lineEnds);
    case "digit":
      return negatedIf(node.negate, digits);
    case "space":
      return negatedIf(node.negate, spaces);
    case "word":
      return negatedIf(node.negate, word);
    case "property":
      return propertyCodePoints(node.raw);
  }
}

function negatedIf(negate: boolean, set: CodePoints): CodePoints {
  return negate ? complement(set) : set;
}

function range(ends: string): CodePointRange {
  return [ends.charCodeAt(0), ends.charCodeAt(1)];
}
