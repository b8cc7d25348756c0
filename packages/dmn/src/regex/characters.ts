import { type CharacterTest, PatternError } from "./pattern.js";

const isSpace: CharacterTest = (point) => point === 32 || point === 9 || point === 10 || point === 13;
const isDigit = category("Nd");
const isNoWord = anyOf([category("P"), category("Z"), category("C")]);
const isNameStart: CharacterTest = (point) => point === 58 || point === 95 || isLetter(point);
const isLetter = category("L");
const isMark = category("M");
const isNamePart: CharacterTest = (point) =>
  isNameStart(point) || point === 45 || point === 46 || point === 0xb7 || isDigit(point) || isMark(point);

/** `\s` and its like. */
const classes: ReadonlyMap<string, CharacterTest> = new Map([
  ["s", isSpace],
  ["S", not(isSpace)],
  ["d", isDigit],
  ["D", not(isDigit)],
  ["w", not(isNoWord)],
  ["W", isNoWord],
  ["i", isNameStart],
  ["I", not(isNameStart)],
  ["c", isNamePart],
  ["C", not(isNamePart)],
]);

export function classOf(letter: string): CharacterTest | undefined {
  return classes.get(letter);
}

const single: ReadonlyMap<string, number> = new Map([
  ["n", 10],
  ["r", 13],
  ["t", 9],
]);

/** The character that an escape stands for. @returns undefined if it is none */
export function escaped(character: string): number | undefined {
  return (
    single.get(character) ?? ("\\|.?*+(){}$-[]^".includes(character) ? character.charCodeAt(0) : undefined)
  );
}

/** Blocks of Unicode by the names that XML Schema has for them. */
const blocks: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["BasicLatin", [0x0000, 0x007f]],
  ["Latin-1Supplement", [0x0080, 0x00ff]],
  ["LatinExtended-A", [0x0100, 0x017f]],
  ["LatinExtended-B", [0x0180, 0x024f]],
  ["IPAExtensions", [0x0250, 0x02af]],
  ["SpacingModifierLetters", [0x02b0, 0x02ff]],
  ["CombiningDiacriticalMarks", [0x0300, 0x036f]],
  ["Greek", [0x0370, 0x03ff]],
  ["GreekandCoptic", [0x0370, 0x03ff]],
  ["Cyrillic", [0x0400, 0x04ff]],
  ["Armenian", [0x0530, 0x058f]],
  ["Hebrew", [0x0590, 0x05ff]],
  ["Arabic", [0x0600, 0x06ff]],
  ["Devanagari", [0x0900, 0x097f]],
  ["Thai", [0x0e00, 0x0e7f]],
  ["Georgian", [0x10a0, 0x10ff]],
  ["LatinExtendedAdditional", [0x1e00, 0x1eff]],
  ["GreekExtended", [0x1f00, 0x1fff]],
  ["GeneralPunctuation", [0x2000, 0x206f]],
  ["CurrencySymbols", [0x20a0, 0x20cf]],
  ["Arrows", [0x2190, 0x21ff]],
  ["MathematicalOperators", [0x2200, 0x22ff]],
  ["BoxDrawing", [0x2500, 0x257f]],
  ["Hiragana", [0x3040, 0x309f]],
  ["Katakana", [0x30a0, 0x30ff]],
  ["CJKUnifiedIdeographs", [0x4e00, 0x9fff]],
  ["HangulSyllables", [0xac00, 0xd7af]],
]);

/** `\p{Lu}` or `\p{IsGreek}`. @throws PatternError for what Unicode does not have */
export function propertyTest(name: string): CharacterTest {
  if (name.startsWith("Is")) {
    const block = blocks.get(name.slice(2));
    if (block === undefined) throw new PatternError(`unknown block ${name}`);
    return (point) => point >= block[0] && point <= block[1];
  }
  if (!/^(L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|Z[slp]?|S[mcko]?|C[cfon]?)$/.test(name))
    throw new PatternError(`unknown category ${name}`);
  return category(name);
}

function category(name: string): CharacterTest {
  const pattern = new RegExp(`^\\p{${name}}$`, "u");
  return (point) => pattern.test(String.fromCodePoint(point));
}

export function not(test: CharacterTest): CharacterTest {
  return (point) => !test(point);
}

export function anyOf(tests: readonly CharacterTest[]): CharacterTest {
  return (point) => tests.some((test) => test(point));
}

/** Whether a set has a character in either case. */
export function withoutCase(test: CharacterTest): CharacterTest {
  return (point) => test(point) || otherCases(point).some(test);
}

function otherCases(point: number): readonly number[] {
  const character = String.fromCodePoint(point);
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  // Some characters, such as the sign for Kelvin, are others only through both.
  return [lower, upper, lower.toUpperCase(), upper.toLowerCase()].flatMap((other) => {
    const [only = "", more] = other;
    return more === undefined && only !== character ? [only.codePointAt(0) ?? point] : [];
  });
}
