import { createRequire } from "node:module";
import type { AST } from "@eslint-community/regexpp";
import { toBitSets } from "./alphabet.js";
import { isAmbiguous } from "./ambiguity.js";
import { type CharacterNode, type Positions, positionsOf } from "./positions.js";

const require = createRequire(import.meta.url);
const flags = { unicode: true } as const;
const anyCharacter = [{ min: 0, max: 0x10_ff_ff }];

/** Whether the time that a pattern takes may grow faster than the text, by an analysis of its automaton. */
export function mayBacktrack(pattern: string): boolean {
  // Loaded when first needed: together they take longer than all the rest of this package.
  const { RegExpParser }: typeof import("@eslint-community/regexpp") = require("@eslint-community/regexpp");
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, flags);
  return partMayBacktrack(
    alternatives,
    alternatives.every(startsAnchored),
    /\$|\\[bB]|\(\?[=!<]/.test(pattern),
  );
}

function partMayBacktrack(
  alternatives: readonly AST.Alternative[],
  anchored: boolean,
  mayFailLate: boolean,
): boolean {
  const positions = positionsOf(alternatives);
  if (positions === undefined) return true;
  if (isAmbiguous(automatonOf(positions, anchored, mayFailLate)) !== false) return true;
  return positions.lookarounds.some(({ alternatives, looped }) => {
    // A lookaround with a repetition reads far ahead; in a loop it does so again and again.
    if ((looped || !anchored) && repeats(alternatives)) return true;
    return partMayBacktrack(alternatives, true, true);
  });
}

function startsAnchored({ elements }: AST.Alternative): boolean {
  const [first] = elements;
  return first?.type === "Assertion" && first.kind === "start";
}

function automatonOf(
  { characters, follow, first, last }: Positions,
  anchored: boolean,
  mayFailLate: boolean,
): { readonly follow: readonly (readonly number[])[]; readonly characters: readonly bigint[] } {
  // Where nothing is asked of the end, the match is over as soon as the last character is read.
  const accepting = new Set(mayFailLate ? [] : last);
  const going = follow.map((next, position) => (accepting.has(position) ? [] : next));
  const ranges = characters.map(rangesOf);
  if (anchored) return { follow: going, characters: toBitSets(ranges) };
  // Without an anchor the match is tried at every place of the text.
  const start = characters.length;
  return { follow: [...going, [start, ...first]], characters: toBitSets([...ranges, anyCharacter]) };
}

function rangesOf(character: CharacterNode): readonly { readonly min: number; readonly max: number }[] {
  const { toUnicodeSet }: typeof import("regexp-ast-analysis") = require("regexp-ast-analysis");
  return toUnicodeSet(character, flags).chars.ranges;
}

function repeats(alternatives: readonly AST.Alternative[]): boolean {
  return /[*+]|\{\d+,\}/.test(alternatives.map(({ raw }) => raw).join("|"));
}
