import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LimitError } from "../src/values/run.js";
import { evaluated } from "./support/feel.js";

describe("what one evaluation may cost", () => {
  it.each([
    ["a loop", "for i in 1..1000, j in 1..1000, k in 1..1000 return i"],
    ["a list", "concatenate(for i in 1..60000 return i, for i in 1..60000 return i)"],
    ["a range", "for i in 1..1000000000 return i"],
    ["numbers that grow", "for i in -1e300..1e300 return i"],
    ["a filter in a loop", "for i in 1..10000 return (for j in 1..10000 return j)[item = i]"],
    ["recursion without an end", "{f: function(f, n) f(f, n + 1), r: f(f, 0)}.r"],
    [
      "recursion that doubles",
      "{f: function(f, n) if n = 0 then 1 else f(f, n - 1) + f(f, n - 1), r: f(f, 100)}.r",
    ],
    [
      "a text that doubles",
      `{f: function(f, t, n) if n = 0 then t else f(f, t + t, n - 1), r: f(f, "aaaaaaaaaa", 60)}.r`,
    ],
    [
      "a list that doubles",
      "{f: function(f, l, n) if n = 0 then l else f(f, concatenate(l, l), n - 1), r: f(f, [1, 2], 60)}.r",
    ],
    ["a partial result that doubles", "for i in 1..100000 return count(flatten(partial)) + i"],
    ["a pattern that backtracks", `matches("${"a".repeat(60)}!", "^(a+)+$")`],
    ["a pattern with a back-reference", `matches("${"ab".repeat(60)}", "^(a|b|ab)*c\\1$")`],
    ["a replacement that backtracks", `replace("${"a".repeat(60)}!", "(a*)*b", "x")`],
    ["a delimiter that backtracks", `split("${"a".repeat(60)}!", "(a+)+b")`],
    ["a pattern that repeats itself", `matches("a", "((((a{1,99}){1,99}){1,99}){1,99})")`],
    [
      "a search for a text in a text",
      `{f: function(f, t, n) if n = 0 then t else f(f, t + t, n - 1), t: f(f, "a", 19), r: contains(t, "b" + t)}.r`,
    ],
    ["patterns that are long when they are compiled", `for i in 1..10000 return matches("a", "a{9999}")`],
    ["sums in a loop", "for i in 1..1000 return sum(for j in 1..2000 return j / 7)"],
    ["powers in a loop", "for i in 1..100000 return 1.000000001 ** (1000000000 + i)"],
    ["zones in a loop", `for i in 1..100000 return time("10:00:00@Nowhere" + string(i))`],
    [
      "times in zones that are compared",
      `{d: @"2026-01-01T10:00:00@Europe/Paris", r: for i in 1..60000 return d < d}.r`,
    ],
    [
      "times in zones that are moved",
      `{d: @"2026-01-01T10:00:00@Europe/Paris", m: @"PT1M", r: for i in 1..60000 return d + m}.r`,
    ],
    ["distinct values", "distinct values(for i in 1..20000 return i)"],
    [
      "a sort that calls",
      "sort(for i in 1..50000 return i, function(x, y) some z in 1..100 satisfies z = x)",
    ],
  ])("ends %s", (_name, text) => {
    expect(() => evaluated(text)).toThrow(LimitError);
  });

  it("counts calls that are open, and not calls", () => {
    const counted = "{f: function(f, n) if n = 0 then 0 else 1 + f(f, n - 1), r: f(f, 100)}.r";
    expect(evaluated(counted).value).toBe(100);
    expect(() => evaluated(counted, {}, { depth: 50 })).toThrow(LimitError);
    expect(evaluated("count(for i in 1..5000 return (function(x) x)(i))").value).toBe(5000);
  });

  it("ends a loop whose end is no whole number", () => {
    expect(evaluated("for i in 1..2.5 return i").value).toBeNull();
  });

  it("sorts ten thousand items within the budget", () => {
    expect(evaluated("sort(for i in 1..10000 return 10000 - i, function(x, y) x < y)[1]").value).toBe(0);
  });

  it("has enough for what models do", () => {
    expect(evaluated("(for i in 1..5000 return if i = 1 then 1 else partial[-1] + 1)[-1]").value).toBe(5000);
    expect(
      evaluated(`string length(replace(string join(for i in 1..20000 return "abc"), "b", "xx"))`).value,
    ).toBe(80_000);
    expect(evaluated("sum(for i in 1..100000 return i)").value).toBe(5_000_050_000);
  });

  it("has few warnings, however many problems", () => {
    const { run } = evaluated(`for i in 1..1000 return i + "a"`);
    expect(run.warnings).toHaveLength(20);
  });

  const leaf = fc.constantFrom(
    "1",
    "-2.5",
    '"a"',
    "null",
    "true",
    "[1, 2, 3]",
    "{a: 1}",
    '@"2026-11-24"',
    "[1..5]",
    "x",
    "item",
    "?",
  );
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const part = tie("expression");
    const two = fc.tuple(part, part);
    return {
      expression: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        two.chain(([a, b]) =>
          fc
            .constantFrom("+", "-", "*", "/", "**", "=", "<", "and", "or")
            .map((operator) => `(${a}) ${operator} (${b})`),
        ),
        two.map(([a, b]) => `for x in ${a} return ${b}`),
        two.map(([a, b]) => `some x in ${a} satisfies ${b}`),
        two.map(([a, b]) => `(${a})[${b}]`),
        two.map(([a, b]) => `if ${a} then ${b} else x`),
        two.map(([a, b]) => `{a: ${a}, b: ${b}}`),
        two.map(([a, b]) => `[(${a})..(${b})]`),
        two.map(([a, b]) => `(${a}) in (${b}, > (${a}))`),
        two.chain(([a, b]) =>
          fc
            .constantFrom(
              "concatenate",
              "append",
              "union",
              "max",
              "list contains",
              "matches",
              "split",
              "date",
              "substring",
              "decimal",
              "before",
              "is",
              "context put",
              "remove",
            )
            .map((name) => `${name}(${a}, ${b})`),
        ),
        part.map((a) => `(function(x) ${a})(1)`),
        part.map((a) => `(${a}).a`),
      ),
    };
  });

  it("whatever an expression is, it ends with a value or at a limit", () => {
    fc.assert(
      fc.property(expression, (text) => {
        const limits = { steps: 20_000, depth: 16, list: 1000, text: 1000 };
        try {
          expect(evaluated(text, { x: 3 }, limits).run.used).toBeLessThanOrEqual(limits.steps);
        } catch (error) {
          if (!(error instanceof LimitError)) throw error;
        }
      }),
      { numRuns: 400 },
    );
  });

  it("whatever a text is, it is read or is a syntax error", () => {
    const tokens = fc.constantFrom(
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "..",
      ",",
      "if",
      "then",
      "else",
      "for",
      "in",
      "return",
      "1",
      '"a',
      '"',
      "x",
      "+",
      "-",
      "not",
      "function",
      "@",
      "?",
      "instance of",
      "range<",
      ">",
      "/*",
      "//",
      "\n",
      "\\",
      "\u{1F600}",
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 25 }), (parts) => {
        expect(() => evaluated(parts.join(" "), { x: 1 })).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it("an expression that is nested too deep is a syntax error", () => {
    const { value, run } = evaluated(`${"(".repeat(1000)}1${")".repeat(1000)}`);
    expect([value, run.warnings[0]?.code]).toEqual([null, "SYNTAX"]);
  });
});
