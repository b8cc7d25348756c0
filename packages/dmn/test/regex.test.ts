import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Matcher } from "../src/regex/matcher.js";
import { PatternError } from "../src/regex/pattern.js";
import { Run } from "../src/values/run.js";

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("a", "b", "c", ".", "[ab]", "[^a]", "\\d", "^", "$", "\\.", "1"),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    tie("pattern").map((a) => `(${a})`),
    fc
      .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{0,}", "*?", "+?", "??"))
      .map(([a, quantifier]) => `(?:${a})${quantifier}`),
  ),
}));

const text = fc
  .array(fc.constantFrom("a", "b", "c", "1", ".", "\u{1F600}"), { maxLength: 12 })
  .map((parts) => parts.join(""));

describe("regular expressions of XPath", () => {
  it("match where JavaScript's do, for what both have", () => {
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        const expected = new RegExp(source, "u").exec(given);
        const found = new Matcher(source, "").find(given, 0, new Run({ now: new Date() }));
        expect(found === undefined ? null : [found.start, given.slice(found.start, found.end)]).toEqual(
          expected === null ? null : [expected.index, expected[0]],
        );
      }),
      { numRuns: 2000 },
    );
  });

  // The examples of the functions and operators of XPath 3.1, section 5.6.2.
  it.each([
    ["[A-Z]", "a", true],
    ["[A-Z]", "\u212A", true],
    ["[A-Z-[IO]]", "b", true],
    ["[A-Z-[IO]]", "i", false],
    ["[A-Z-[IO]]", "O", false],
    ["[^Q]", "Q", false],
    ["[^Q]", "q", false],
    ["[^Q]", "r", true],
    ["\\p{Lu}", "a", false],
    ["z", "Z", true],
    ["\\.z", ".Z", true],
  ])("%s in either case: %s is %s", (source, given, expected) => {
    expect(new Matcher(source, "i").find(given, 0, new Run({ now: new Date() })) !== undefined).toBe(
      expected,
    );
  });

  it.each([
    "(",
    ")",
    "[",
    "[]",
    "a**",
    "*",
    "\\q",
    "\\1",
    "(a\\1)",
    "[b-a]",
    "a{2,1}",
    "\\p{Xx}",
    "\\p{IsNothing}",
    "(?=a)",
    "a{,2}",
  ])("%s is none", (source) => {
    expect(() => new Matcher(source, "")).toThrow(PatternError);
  });

  it.each([
    ["A.b", "s", "a\nb", false],
    ["A.b", "si", "a\nb", true],
    ["^b$", "", "a\nb", false],
    ["^b$", "m", "a\nb", true],
    ["a b # c", "x", "ab#c", true],
    ["[ ]a", "x", " a", true],
    ["a.b*", "q", "xa.b*x", true],
    ["[a-z-[aeiou]]", "", "e", false],
    ["\\i\\c*", "", "_x-1", true],
    ["\\p{Lu}\\P{Lu}", "", "Ab", true],
    ["\\p{IsGreek}", "", "λ", true],
    ["(a)|b\\1", "", "b", true],
  ])("%s with flags %j in %j: %s", (source, flags, given, expected) => {
    expect(new Matcher(source, flags).find(given, 0, new Run({ now: new Date() })) !== undefined).toBe(
      expected,
    );
  });
});
