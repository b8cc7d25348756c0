import { type AST, RegExpParser } from "@eslint-community/regexpp";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it, vi } from "vitest";
import { expectCostInStep } from "../../../../test/suites/growth.js";
import { isDeterministic } from "../../src/pattern/deterministic.js";
import { linearPattern, toRe2Text } from "../../src/pattern/linear-pattern.js";

const numRuns = 2 * Number(process.env["DECERN_PROP_RUNS"] ?? 50);
vi.setConfig({ testTimeout: 180_000 + numRuns * 200 });

/** Single characters, including all that the two syntaxes read differently. */
const characters = fc.constantFrom(
  ..."ab-_10 .~é€ß".split("").map((character) => character.replace(/[.]/, "\\.")),
  "\\/",
  "\\$",
  "\\^",
  "\\n",
  "\\r",
  "\\t",
  "\\v",
  "\\f",
  "\\x00",
  "\\cJ",
  "\\x41",
  "\\u2028",
  "\\u{1F600}",
  "\\uD83D\\uDE00",
  "\\uD83D",
  "\\uDE00",
  "😀",
  "\u{10ffff}",
);
const sets = fc.constantFrom(
  "\\d",
  "\\D",
  "\\s",
  "\\S",
  "\\w",
  "\\W",
  "\\p{Lu}",
  "\\P{L}",
  "\\p{Script=Greek}",
);
const ranges = fc.constantFrom(
  "a-c",
  "0-9",
  "A-Z",
  "\\u0000-\\u001f",
  "\\uD800-\\uDFFF",
  "é-€",
  "\\u{1F600}-\\u{1F64F}",
);
const classes = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof(characters, sets, ranges, fc.constant("\\-"), fc.constant("\\b")), { maxLength: 4 }),
  )
  // A lone hyphen between two members would form a range.
  .map(
    ([negated, members]) =>
      `[${negated ? "^" : ""}${members.map((member) => (member === "-" ? "\\-" : member)).join("")}]`,
  );
const counts = fc.constantFrom(
  "*",
  "+",
  "?",
  "{2}",
  "{0}",
  "{0,2}",
  "{1,3}",
  "{2,}",
  "*?",
  "+?",
  "??",
  "{1,2}?",
);

const { pattern } = fc.letrec<{ pattern: string; sequence: string; element: string }>((tie) => ({
  pattern: fc
    .array(tie("sequence"), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.join("|")),
  sequence: fc.array(tie("element"), { maxLength: 4 }).map((elements) => elements.join("")),
  element: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: fc.oneof(characters, sets, classes, fc.constant(".")) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.oneof(characters, sets, classes, fc.constant(".")), counts)
        .map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
    { weight: 2, arbitrary: tie("pattern").map((inner) => `(?:${inner})`) },
    { weight: 1, arbitrary: tie("pattern").map((inner) => `(${inner})`) },
    {
      weight: 3,
      arbitrary: fc.tuple(tie("pattern"), counts).map(([inner, count]) => `(?:${inner})${count}`),
    },
  ),
}));

const texts = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          "a",
          "b",
          "c",
          "-",
          "_",
          "0",
          "1",
          "9",
          "A",
          "Z",
          "/",
          "$",
          "^",
          ".",
          "~",
          " ",
        ),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "\n",
          "\r",
          "\t",
          "\v",
          "\f",
          "\0",
          "\b",
          "\u2028",
          "\u2029",
          "\u0085",
          "\u00a0",
          "\ufeff",
          "\u180e",
          "\u2003",
        ),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "é",
          "€",
          "ß",
          "Ω",
          "ſ",
          "K",
          "😀",
          "\u{10ffff}",
          "\ud83d",
          "\ude00",
          "\ud800",
          "\udfff",
        ),
      },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

function parse(source: string): AST.Pattern {
  return new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
}

/** Too many nested repetitions. */
function isTooLarge(source: string): boolean {
  try {
    linearPattern(source);
    return false;
  } catch (error) {
    return String(error).includes("counted repetitions");
  }
}

/** The parts of a text that keeps a matcher busy: it starts with a match, repeats, and ends without one. */
interface Attack {
  readonly pattern: string;
  readonly repeated: string;
}

const attacks: readonly Attack[] = [
  { pattern: "^(?:[A-Za-z]{1,20} ?){1,20}$", repeated: "a" },
  { pattern: "^([\\w-]{1,63}\\.?){1,8}$", repeated: "a" },
  { pattern: "(?:[a-z]{1,20} ?){1,20}!!", repeated: "a" },
  { pattern: "^(a+)+$", repeated: "a" },
  { pattern: "^(?:a?){30}a{30}$", repeated: "a" },
  { pattern: "^(?:(?:a|b)*|[ab]*c?)*d$", repeated: "ab" },
  { pattern: "^(?:ab(?:[^x]*x)?)*", repeated: "ab" },
  { pattern: "^(?:GET(?: .*;)?)+", repeated: "GET " },
  { pattern: "^(?:id=(?:[^;]*;)?)+", repeated: "id=" },
  { pattern: "^[^@]+@[^@]+\\.[^@]+$", repeated: "@." },
  { pattern: "^(.*)(.*)(.*)=$", repeated: "a" },
  { pattern: "^\\s+|\\s+$", repeated: " " },
  { pattern: "\\d+\\.\\d+", repeated: "1" },
  { pattern: "a.*b.*c", repeated: "ab" },
  { pattern: "\\b\\w+\\b!", repeated: "a" },
  { pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", repeated: "a-" },
  { pattern: "^(?:foo|bar)*$", repeated: "foo" },
  { pattern: "[a-z]{2}\\d{3}", repeated: "ab12" },
];

/** Nested repetitions of a few letters, which match many of the same texts. */
const nested = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", "c", "[ab]", "[^c]", "a?", "a*", "[bc]+", "[ab]{1,3}"),
    fc
      .tuple(
        fc.array(tie("part"), { minLength: 1, maxLength: 3 }),
        fc.constantFrom("*", "+", "{1,4}", "{0,3}", "?"),
      )
      .map(([parts, count]) => `(?:${parts.join("")})${count}`),
    fc.tuple(tie("part"), tie("part")).map(([some, other]) => `(?:${some}|${other})`),
  ),
})).part;

describe("a pattern", () => {
  it("matches what JavaScript's own regular expression matches, in either engine", () => {
    fc.assert(
      fc.property(
        pattern,
        fc.boolean(),
        fc.array(texts, { minLength: 1, maxLength: 8 }),
        (body, whole, samples) => {
          const source = whole ? `^(?:${body})$` : body;
          fc.pre(!isTooLarge(source));
          const expected = new RegExp(source, "u");
          const [linear, automaton] = [linearPattern(source), RE2JS.compile(toRe2Text(parse(source)))];
          for (const text of samples) {
            const matches = expected.test(text);
            const found = { linear: linear.test(text), automaton: automaton.test(text) };
            expect(found, JSON.stringify(text)).toEqual({ linear: matches, automaton: matches });
          }
        },
      ),
      { numRuns },
    );
  });

  it("matches the same in texts that are too long for V8", () => {
    for (const source of ["^(?:ab)*$", "^[a-b]+c$", "^(?:ab)+c?$", "^\\w+$"]) {
      const expected = new RegExp(source, "u");
      for (const text of ["ab".repeat(9_000), `${"ab".repeat(9_000)}c`, `${"ab".repeat(9_000)}!`]) {
        expect(linearPattern(source).test(text)).toBe(expected.test(text));
      }
    }
  });

  it.each(attacks)("$pattern takes time proportional to the text", async ({ pattern, repeated }) => {
    const linear = linearPattern(pattern);
    const prepare = (size: number) => {
      const text = `${repeated.repeat(size / repeated.length)}!`;
      return () => void linear.test(text);
    };
    // As long as V8 may run it, and beyond.
    for (const size of [1_000, 50_000]) await expectCostInStep(prepare, [size, 8 * size]);
  });

  it("takes time proportional to the text, for any nesting of repetitions", async () => {
    let deterministic = 0;
    await fc.assert(
      fc.asyncProperty(
        nested,
        fc.constantFrom("a", "ab", "aab", "abc"),
        fc.constantFrom("", "$", "d"),
        async (body, repeated, end) => {
          const source = `^${body}${end}`;
          fc.pre(!isTooLarge(source));
          // V8 gets far longer texts here than in a service, so quadratic growth would be visible.
          const native = isDeterministic(parse(source));
          if (native) deterministic += 1;
          const pattern = native ? new RegExp(source, "u") : linearPattern(source);
          const prepare = (size: number) => {
            const text = `${repeated.repeat(size / repeated.length)}!`;
            return () => void pattern.test(text);
          };
          await expectCostInStep(prepare, [20_000, 160_000]);
        },
      ),
      { numRuns },
    );
    expect(deterministic).toBeGreaterThan(numRuns / 10);
  });
});
