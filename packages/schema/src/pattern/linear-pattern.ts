import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { RE2JS } from "re2js";
import { checkSize } from "./check-size.js";
import { isDeterministic } from "./deterministic.js";
import { toRe2Text } from "./re2-text.js";

/** A pattern as AJV runs it. */
export interface Pattern {
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

/** Runs on V8, which is several times as fast as RE2 and also linear if a pattern leaves no choice open. */
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
