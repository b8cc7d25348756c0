import type { AST } from "@eslint-community/regexpp";

/** The characters from the first to the second, inclusive. */
type CodePointRange = readonly [number, number];

/** A set of characters, as sorted ranges that neither overlap nor touch. */
export type CodePoints = readonly CodePointRange[];

export const lastCodePoint = 0x10_ff_ff;

/** Sorts ranges, and merges those that overlap or touch. */
export function toCodePoints(ranges: readonly CodePointRange[]): CodePoints {
  const merged: [number, number][] = [];
  for (const [min, max] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && min <= last[1] + 1) last[1] = Math.max(last[1], max);
    else merged.push([min, max]);
  }
  return merged;
}

function complement(set: CodePoints): CodePoints {
  const rest: CodePointRange[] = [];
  let next = 0;
  for (const [min, max] of set) {
    if (min > next) rest.push([next, min - 1]);
    next = max + 1;
  }
  if (next <= lastCodePoint) rest.push([next, lastCodePoint]);
  return rest;
}

export function overlap(some: CodePoints, others: CodePoints): boolean {
  let other = 0;
  for (const [min, max] of some) {
    for (let range = others[other]; range !== undefined && range[0] <= max; range = others[other]) {
      if (range[1] >= min) return true;
      other += 1;
    }
  }
  return false;
}

/** Unicode has a few hundred properties, so the map stays small. */
const ofProperties = new Map<string, CodePoints>();

/**
 * The characters of a Unicode property. JavaScript's own engine supplies them: engines differ in their version
 * of Unicode, and the meaning of `\p{L}` must not depend on the engine that runs a pattern.
 *
 * @param property - such as `\p{L}` or `\P{Script=Greek}`
 */
function propertyCodePoints(property: string): CodePoints {
  let codePoints = ofProperties.get(property);
  if (codePoints === undefined) {
    codePoints = readProperty(property);
    ofProperties.set(property, codePoints);
  }
  return codePoints;
}

const planes = 17;
const planeSize = 0x1_00_00;
const firstSurrogate = 0xd8_00;
const lastSurrogate = 0xdf_ff;

function readProperty(property: string): CodePoints {
  const expression = new RegExp(`(?:${property})+`, "gu");
  const single = new RegExp(property, "u");
  const ranges: CodePointRange[] = [];
  for (let plane = 0; plane < planes; plane += 1) {
    const start = plane * planeSize;
    const text = textOfPlane(plane);
    const width = text.length / planeSize;
    for (const match of text.matchAll(expression)) {
      const first = start + match.index / width;
      ranges.push([first, first + match[0].length / width - 1]);
    }
  }
  const outside = ranges.flatMap(([min, max]) => withoutSurrogates(min, max));
  for (let code = firstSurrogate; code <= lastSurrogate; code += 1) {
    if (single.test(String.fromCharCode(code))) outside.push([code, code]);
  }
  return toCodePoints(outside);
}

/** All characters of a plane, in order. Spaces replace surrogates, because two adjacent ones would form one character. */
function textOfPlane(plane: number): string {
  const units = new Uint16Array(plane === 0 ? planeSize : 2 * planeSize);
  for (let offset = 0; offset < planeSize; offset += 1) {
    if (plane === 0) {
      units[offset] = offset >= firstSurrogate && offset <= lastSurrogate ? 0x20 : offset;
    } else {
      const beyond = (plane - 1) * planeSize + offset;
      units[2 * offset] = firstSurrogate + (beyond >> 10);
      units[2 * offset + 1] = 0xdc_00 + (beyond & 0x3_ff);
    }
  }
  return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
}

/** Cuts the surrogates out of a range. */
function withoutSurrogates(min: number, max: number): CodePointRange[] {
  const ranges: CodePointRange[] = [
    [min, Math.min(max, firstSurrogate - 1)],
    [Math.max(min, lastSurrogate + 1), max],
  ];
  return ranges.filter(([first, last]) => first <= last);
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

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
