import { type CodePointRange, type CodePoints, toCodePoints } from "./code-points.js";

/** Unicode has a few hundred properties, so the map stays small. */
const known = new Map<string, CodePoints>();

/**
 * The characters of a Unicode property. JavaScript's own engine supplies them: engines differ in their version
 * of Unicode, and the meaning of `\p{L}` must not depend on the engine that runs a pattern.
 *
 * @param property - such as `\p{L}` or `\P{Script=Greek}`
 */
export function propertyCodePoints(property: string): CodePoints {
  let codePoints = known.get(property);
  if (codePoints === undefined) {
    codePoints = read(property);
    known.set(property, codePoints);
  }
  return codePoints;
}

const planes = 17;
const planeSize = 0x1_00_00;
const firstSurrogate = 0xd8_00;
const lastSurrogate = 0xdf_ff;

function read(property: string): CodePoints {
  const expression = new RegExp(`(?:${property})+`, "gu");
  const single = new RegExp(property, "u");
  const ranges: CodePointRange[] = [];
  for (let plane = 0; plane < planes; plane += 1) {
    const start = plane * planeSize;
    const text = textOf(plane);
    const width = text.length / planeSize;
    for (const match of text.matchAll(expression)) {
      const first = start + match.index / width;
      ranges.push([first, first + match[0].length / width - 1]);
    }
  }
  const outside = ranges.flatMap(([min, max]) => without(min, max));
  for (let code = firstSurrogate; code <= lastSurrogate; code += 1) {
    if (single.test(String.fromCharCode(code))) outside.push([code, code]);
  }
  return toCodePoints(outside);
}

/** All characters of a plane, in order. Spaces replace surrogates, because two adjacent ones would form one character. */
function textOf(plane: number): string {
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
function without(min: number, max: number): CodePointRange[] {
  const ranges: CodePointRange[] = [
    [min, Math.min(max, firstSurrogate - 1)],
    [Math.max(min, lastSurrogate + 1), max],
  ];
  return ranges.filter(([first, last]) => first <= last);
}
