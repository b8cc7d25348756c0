import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { typebox } from "../src/index.js";

function accepts(type: TSchema, value: unknown): boolean {
  const result = typebox(type)["~standard"].validate(value);
  return !(result instanceof Promise) && result.issues === undefined;
}

/** Patterns that V8 takes exponential or quadratic time for, a text that they match, and one that they do not. */
const ambiguous: readonly (readonly [pattern: string, matching: string, other: string])[] = [
  ["^(a+)+$", "aaa", "aab"],
  ["^(a|aa)+$", "aaa", ""],
  ["^(?:foo|bar|foobar)*$", "foobarfoo", "foob"],
  ["^(\\w+\\s?)+$", "some words", "some  words"],
  ["^[^@]+@[^@]+\\.[^@]+$", "a@b.c", "a@@b.c"],
  ["^(?:[A-Za-z]{1,20} ?){1,20}$", "Ada Lovelace", "Ada  Lovelace"],
  ["^(?:ab(?:[^x]*x)?)*", "zzz", ""],
  ["\\d+\\.\\d+", "about 1.5", "about 1."],
  ["^\\s+|\\s+$", "a ", "a"],
  ["^\\p{L}+(?:[ '-]?\\p{L}+)*$", "Zoë O'Neill", "Zoë 2"],
];

describe("patterns", () => {
  it.each(ambiguous)("accepts %s", (pattern, matching, other) => {
    const type = Type.String({ pattern });
    expect(accepts(type, matching)).toBe(true);
    if (other !== "") expect(accepts(type, other)).toBe(false);
  });

  it.each([
    ["^(?=.*[a-z])(?=.*\\d).{8,}$", 'the lookahead "(?=.*[a-z])"'],
    ["^(?:(?!x+y).)*$", 'the lookahead "(?!x+y)"'],
    ["^[ab]*(?<=b{2,})$", 'the lookbehind "(?<=b{2,})"'],
    ["^(a+)\\1$", 'the backreference "\\\\1"'],
    ["^(?<x>a)\\k<x>$", 'the backreference "\\\\k<x>"'],
    ["^(?:a{1,100}){1,100}$", "counted repetitions that stand for more than 1000 characters"],
    ["^((((a{1000}){1000}){1000}){1000})$", "counted repetitions that stand for more than 1000 characters"],
    ["^.{1,5000}$", "counted repetitions that stand for more than 1000 characters"],
    [`${"(?:".repeat(200)}a${")".repeat(200)}`, "groups nested more than 100 deep"],
  ])("refuses %s, which has %s", (pattern, part) => {
    expect(() => typebox(Type.String({ pattern }))).toThrow(
      `/pattern: is a pattern with ${part.replaceAll("\\\\", "\\")}`,
    );
  });

  it("also checks the keys of records", () => {
    const type = (pattern: string) => Type.Unsafe({ type: "object", patternProperties: { [pattern]: {} } });
    expect(() => typebox(type("^(?=a)"))).toThrow(/\/patternProperties\/\^\(\?=a\): is a pattern/);
    expect(accepts(Type.Record(Type.String({ pattern: "^(?:a+)+$" }), Type.Number()), { aa: 1 })).toBe(true);
    expect(accepts(Type.Record(Type.String({ pattern: "^(?:a+)+$" }), Type.Number()), { aa: "1" })).toBe(
      false,
    );
  });

  it("supports several patterns in place of a lookahead", () => {
    const type = Type.Intersect([
      Type.String({ pattern: "[a-z]", minLength: 8 }),
      Type.String({ pattern: "\\d" }),
    ]);
    const texts = ["abcdefg1", "abcdefgh", "abc1", "1234567A"];
    expect(texts.filter((text) => accepts(type, text))).toEqual(["abcdefg1"]);
  });

  it("accepts all of them if callers are trusted", () => {
    const { validate } = typebox(Type.String({ pattern: "^(?=.*\\d).{3,}$" }), { allowUnsafePatterns: true })[
      "~standard"
    ];
    expect(validate("ab1")).toEqual({ value: "ab1" });
    expect(validate("abc")).toHaveProperty("issues");
  });
});
