import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Grammar } from "../src/syntax/parse.js";
import { evaluated, feel } from "./support/feel.js";

const grammar = new Grammar({});

/** Without the places, which spaces move. */
function form(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (key === "at" ? undefined : part));
}

describe("literals without the grammar", () => {
  const number = fc
    .oneof(
      fc.integer(),
      fc.integer().map((value) => value / 100),
    )
    .map((value) => `${value}`)
    .filter((text) => !text.includes("e"));
  const text = fc
    .string({ unit: "binary", maxLength: 8 })
    .map((value) => `"${value.replace(/["\\\n\r]/g, "")}"`);
  const interval = fc
    .tuple(fc.constantFrom("[", "(", "]"), number, number, fc.constantFrom("]", ")", "["))
    .map(([open, low, high, close]) => `${open}${low}..${high}${close}`);
  const comparison = fc
    .tuple(fc.constantFrom("<", "<=", ">", ">="), number)
    .map(([operator, end]) => `${operator} ${end}`);

  it("are what the grammar reads", () => {
    fc.assert(
      fc.property(fc.oneof(number, text, interval, comparison), (source) => {
        // Two comments have the grammar read it.
        expect(form(grammar.unaryTests(source))).toBe(form(grammar.unaryTests(`/**/${source}/**/`)));
      }),
    );
    fc.assert(
      fc.property(fc.oneof(number, text, fc.constantFrom("true", "false")), (source) => {
        expect(form(grammar.expression(source))).toBe(form(grammar.expression(`/**/${source}/**/`)));
      }),
    );
  });
});

describe("names", () => {
  it.each([
    ["full name", { "full name": "x" }, `"x"`],
    ["a-b", { "a-b": 1 }, "1"],
    ["a - b", { "a-b": 1 }, "1"],
    ["a-b", { a: 3, b: 1 }, "2"],
    ["a+b*2", { "a+b": 3 }, "6"],
    ["a/b's c", { "a/b's c": 3 }, "3"],
    ["\u{1F40E} x", { "\u{1F40E} x": 3 }, "3"],
    ["for full name in [1] return full name", {}, "[1]"],
    ["if then x", { "if then x": 1 }, "1"],
    ["date and time", { "date and time": 1 }, "1"],
  ])("%s with %j is %s", (text, variables, expected) => {
    expect(feel(text, variables)).toBe(expected);
  });

  it("are not those that JavaScript's objects have", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      expect(evaluated(name).run.warnings[0]?.code).toBe("UNKNOWN_NAME");
      expect(feel(`{a: 1}.${name}`)).toBe("null");
      expect(feel(`{${name}: 1}.${name}`)).toBe("1");
    }
  });
});

describe("syntax errors", () => {
  it.each([
    ["1 +", 3],
    ["1 2", 2],
    ["", 0],
    ["[1, 2", 5],
    ["if a then b", 11],
    ["range<number>", 13],
  ])("%j has one at %d", (text, offset) => {
    const { value, run } = evaluated(text);
    expect(value).toBeNull();
    expect(run.warnings).toMatchObject([{ code: "SYNTAX", place: { element: "test", offset } }]);
  });
});
