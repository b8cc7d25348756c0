import { type AST, RegExpParser } from "@eslint-community/regexpp";
import type { Options } from "ajv";
import { RE2JS } from "re2js";
import { type CodePoints, codePointsOf, lastCodePoint } from "./code-points.js";
import { isDeterministic } from "./deterministic.js";

/** How many characters the counted repetitions of a pattern may expand to. RE2 does not allow larger counts either. */
const maxRepeated = 1_000;

const maxDepth = 100;

/**
 * Rejects patterns that are far larger than they look. RE2 expands counted repetitions, so `(?:a{1,100}){1,100}` has 10,000
 * parts.
 *
 * @throws SyntaxError with a message that completes "a pattern with"
 */
function checkSize({ alternatives }: AST.Pattern): void {
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

interface Pattern {
  test(text: string): boolean;
  /** AJV treats patterns with the same text as equal. */
  toString(): string;
}

/** Patterns in use. Many decisions share one, and reading a pattern takes longer than reading the rest of a property. */
const known = new Map<string, WeakRef<Pattern>>();

const maxKnown = 1_000;

/**
 * A pattern that runs in time proportional to the text and to its own size, and matches what `new RegExp(source, "u")`
 * matches. RE2 runs it: its automaton reads each character once and never backtracks.
 *
 * @throws SyntaxError if RE2 cannot run the pattern, with a message that completes "a pattern with"
 */
export function linearPattern(source: string): Pattern {
  const alike = known.get(source)?.deref();
  if (alike !== undefined) return alike;
  const pattern = read(source);
  if (known.size === maxKnown) known.clear();
  known.set(source, new WeakRef(pattern));
  return pattern;
}

function read(source: string): Pattern {
  const native = new RegExp(source, "u");
  const tree = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  checkSize(tree);
  return isDeterministic(tree) ? new DeterministicPattern(native, tree) : new Re2Pattern(native, tree);
}

class Re2Pattern implements Pattern {
  readonly #native: RegExp;
  readonly #automaton: RE2JS;

  constructor(native: RegExp, tree: AST.Pattern) {
    this.#native = native;
    this.#automaton = RE2JS.compile(toRe2Text(tree));
  }

  test(text: string): boolean {
    return this.#automaton.test(text);
  }

  toString(): string {
    return String(this.#native);
  }
}

/** The longest text for which V8 runs a pattern. On very long texts it runs out of memory for backtracking. */
const maxNativeLength = 10_000;

/**
 * Runs on V8, which is also linear if a pattern leaves no choice open. On 4,096 different texts, `^[A-Z]{2}[0-9]{6}$` takes
 * 0.05 µs, and in RE2 0.35; `^[a-z0-9]+(-[a-z0-9]+)*$` 0.1 µs, and in RE2 2.5.
 */
class DeterministicPattern implements Pattern {
  readonly #native: RegExp;
  readonly #tree: AST.Pattern;
  #re2: Re2Pattern | undefined;

  constructor(native: RegExp, tree: AST.Pattern) {
    this.#native = native;
    this.#tree = tree;
  }

  test(text: string): boolean {
    if (text.length <= maxNativeLength) return this.#native.test(text);
    this.#re2 ??= new Re2Pattern(this.#native, this.#tree);
    return this.#re2.test(text);
  }

  toString(): string {
    return String(this.#native);
  }
}

type RegExpEngine = NonNullable<NonNullable<Options["code"]>["regExp"]>;

/**
 * Runs the patterns of schemas. Patterns that only V8 can run were rejected when the type was read, unless the host allowed
 * them.
 */
export const patternEngine: RegExpEngine = Object.assign(
  (source: string): Pattern => {
    try {
      return linearPattern(source);
    } catch (error) {
      // A stack overflow says nothing about the pattern.
      if (error instanceof RangeError) throw error;
      return new RegExp(source, "u");
    }
  },
  // AJV reads it only for standalone code, which is never generated here.
  { code: "" },
);

/** Describes the problem with a pattern: it is invalid, or it cannot be run in time proportional to the text. */
export function patternProblem(pattern: string, allowUnsafe: boolean): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (error) {
    return `is not a valid regular expression with the u flag: ${messageOf(error)}`;
  }
  if (allowUnsafe) return undefined;
  try {
    linearPattern(pattern);
    return undefined;
  } catch (error) {
    return (
      `is a pattern with ${messageOf(error)}, which can keep the service busy; ` +
      "rewrite it, or pass { allowUnsafePatterns: true } if you trust every caller"
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

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
