import { anyOf, classOf, escaped, not, propertyTest, withoutCase } from "./characters.js";
import { type CharacterTest, type Flags, type Pattern, PatternError } from "./pattern.js";

/** Larger patterns are written by machines, or against them. */
const longest = 10_000;
const deepest = 100;

/** @throws PatternError */
export function parsePattern(
  text: string,
  flags: Flags,
): { readonly pattern: Pattern; readonly groups: number } {
  if (text.length > longest) throw new PatternError(`longer than ${longest} characters`);
  return new PatternParser(text, flags).parse();
}

class PatternParser {
  readonly #points: readonly string[];
  readonly #flags: Flags;
  #at = 0;
  #groups = 0;
  readonly #closed = new Set<number>();

  constructor(text: string, flags: Flags) {
    this.#flags = flags;
    this.#points = flags.ignoresBlanks && !flags.isLiteral ? withoutBlanks(text) : [...text];
  }

  parse() {
    if (this.#flags.isLiteral) {
      const parts = this.#points.map((point) => this.#character(point));
      return { pattern: { kind: "sequence", parts } as const, groups: 0 };
    }
    const pattern = this.#choice(0);
    if (this.#at < this.#points.length) this.#fail("an unmatched parenthesis");
    return { pattern, groups: this.#groups };
  }

  #fail(message: string): never {
    throw new PatternError(`${message} at ${this.#at + 1}`);
  }

  #peek(): string | undefined {
    return this.#points[this.#at];
  }

  #take(): string {
    const point = this.#points[this.#at];
    if (point === undefined) return this.#fail("an unexpected end");
    this.#at += 1;
    return point;
  }

  #takes(expected: string): boolean {
    if (this.#peek() !== expected) return false;
    this.#at += 1;
    return true;
  }

  #choice(depth: number): Pattern {
    if (depth > deepest) this.#fail("groups nested too deep");
    const options = [this.#sequence(depth)];
    while (this.#takes("|")) options.push(this.#sequence(depth));
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
  }

  #sequence(depth: number): Pattern {
    const parts: Pattern[] = [];
    for (let next = this.#peek(); next !== undefined && next !== "|" && next !== ")"; next = this.#peek()) {
      parts.push(this.#quantified(this.#atom(depth)));
    }
    return { kind: "sequence", parts };
  }

  #quantified(of: Pattern): Pattern {
    const bounds = this.#bounds();
    if (bounds === undefined) return of;
    const isGreedy = !this.#takes("?");
    if (["*", "+", "?", "{"].includes(this.#peek() ?? "")) this.#fail("two quantifiers");
    return { kind: "repeat", of, ...bounds, isGreedy };
  }

  #bounds(): { readonly min: number; readonly max: number } | undefined {
    if (this.#takes("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (this.#takes("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (this.#takes("?")) return { min: 0, max: 1 };
    if (!this.#takes("{")) return undefined;
    let text = "";
    for (let point = this.#take(); point !== "}"; point = this.#take()) text += point;
    const [, least, more, most] = /^(\d{1,6})(,(\d{1,6})?)?$/.exec(text) ?? [];
    if (least === undefined) return this.#fail("a quantifier without numbers");
    const min = Number(least);
    const max = more === undefined ? min : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
    if (max < min) this.#fail("a quantifier whose bounds are in the wrong order");
    return { min, max };
  }

  #atom(depth: number): Pattern {
    const point = this.#take();
    switch (point) {
      case "(":
        return this.#group(depth);
      case "[":
        return { kind: "set", has: this.#characterClass(depth) };
      case ".":
        return { kind: "set", has: this.#flags.isDotAll ? () => true : (code) => code !== 10 && code !== 13 };
      case "^":
        return { kind: "start" };
      case "$":
        return { kind: "end" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
      case "{":
      case "}":
      case "]":
        return this.#fail(`an unexpected ${point}`);
      default:
        return this.#character(point);
    }
  }

  #character(point: string): Pattern {
    return { kind: "set", has: this.#inEitherCase(equalTo(point)) };
  }

  /** What characters and ranges stand for. Categories such as `\p{Lu}` stay as they are, and a complement excludes both cases. */
  #inEitherCase(has: CharacterTest): CharacterTest {
    return this.#flags.ignoresCase ? withoutCase(has) : has;
  }

  #group(depth: number): Pattern {
    const isPlain = this.#takes("?");
    if (isPlain && this.#take() !== ":") this.#fail("an unknown kind of group");
    if (!isPlain) this.#groups += 1;
    const index = this.#groups;
    const of = this.#choice(depth + 1);
    if (!this.#takes(")")) this.#fail("a missing parenthesis");
    if (isPlain) return of;
    this.#closed.add(index);
    return { kind: "group", index, of };
  }

  #escape(): Pattern {
    const point = this.#take();
    if (!/^[0-9]$/.test(point)) return { kind: "set", has: this.#escapedSet(point) };
    let index = Number(point);
    // As many digits as there are groups.
    while (
      /^[0-9]$/.test(this.#points[this.#at] ?? "") &&
      index * 10 + Number(this.#points[this.#at]) <= this.#groups
    )
      index = index * 10 + Number(this.#take());
    if (!this.#closed.has(index)) this.#fail("a reference to a group that is not complete");
    return { kind: "backReference", index };
  }

  #escapedSet(point: string): CharacterTest {
    if (point === "p" || point === "P") {
      if (this.#take() !== "{") this.#fail("a property without a name");
      let name = "";
      for (let next = this.#take(); next !== "}"; next = this.#take()) name += next;
      const test = propertyTest(name);
      return point === "P" ? not(test) : test;
    }
    const test = classOf(point);
    if (test !== undefined) return test;
    const code = escaped(point);
    if (code === undefined) return this.#fail(`an unknown escape \\${point}`);
    return this.#inEitherCase((other) => other === code);
  }

  /** After `[`. */
  #characterClass(depth: number): CharacterTest {
    if (depth > deepest) this.#fail("classes nested too deep");
    const isNegated = this.#takes("^");
    const tests: CharacterTest[] = [];
    let without: CharacterTest | undefined;
    for (let point = this.#take(); point !== "]"; point = this.#take()) {
      if (point === "-" && this.#points[this.#at] === "[") {
        this.#at += 1;
        without = this.#characterClass(depth + 1);
        if (this.#take() !== "]") this.#fail("something after a subtraction");
        break;
      }
      tests.push(this.#classPart(point));
    }
    if (tests.length === 0) this.#fail("an empty class");
    const listed = anyOf(tests);
    const has = isNegated ? not(listed) : listed;
    if (without === undefined) return has;
    const removed = without;
    return (code) => has(code) && !removed(code);
  }

  #classPart(point: string): CharacterTest {
    if (point === "[") return this.#fail("an unexpected [");
    let low: number;
    if (point === "\\") {
      const letter = this.#take();
      const code = escaped(letter);
      if (code === undefined) return this.#escapedSet(letter);
      low = code;
    } else low = codeOf(point);
    const isRange = this.#points[this.#at] === "-" && !["]", "["].includes(this.#points[this.#at + 1] ?? "]");
    if (!isRange) return this.#inEitherCase((code) => code === low);
    this.#at += 1;
    const end = this.#take();
    const high = end === "\\" ? escaped(this.#take()) : codeOf(end);
    if (high === undefined || high < low) return this.#fail("a range whose ends are in the wrong order");
    return this.#inEitherCase((code) => code >= low && code <= high);
  }
}

/** Blanks outside of classes are for the reader. */
function withoutBlanks(text: string): readonly string[] {
  const kept: string[] = [];
  let depth = 0;
  let isEscaped = false;
  for (const point of text) {
    if (depth === 0 && " \t\r\n".includes(point)) continue;
    if (!isEscaped && point === "[") depth += 1;
    if (!isEscaped && point === "]") depth -= 1;
    isEscaped = !isEscaped && point === "\\";
    kept.push(point);
  }
  return kept;
}

function codeOf(point: string): number {
  return point.codePointAt(0) ?? 0;
}

function equalTo(point: string): CharacterTest {
  const code = codeOf(point);
  return (other) => other === code;
}
