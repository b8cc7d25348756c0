import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { typebox } from "../src/index.js";

function problemOf(pattern: string): string | undefined {
  try {
    typebox(Type.String({ pattern }));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const slow: readonly string[] = [
  "^(a+)+$",
  "^(a*)*$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^(a|b|ab)*$",
  "^(?:foo|bar|foobar)*$",
  "^(?:ab?|b)*$",
  "^(a?b?)*$",
  "^(\\w+\\s?)+$",
  "^(?:ab)*(?:ab)*$",
  "^[^@]+@[^@]+\\.[^@]+$",
  "^(.*)(.*)=$",
  "^\\d*\\d*x$",
  "(?:ab)+c",
  "\\d+\\.\\d+",
  "foo.*bar",
  "[a-z]+$",
  "^\\s+|\\s+$",
  "^(?:(?!x+y).)*$",
  "^(?=.*a.*a.*b)",
];

const fine: readonly string[] = [
  "^[A-Z]{2}$",
  "^[a-z]+$",
  "^[a-z]+-[a-z]+$",
  "^(?:[a-z]+,)*[a-z]+$",
  "^\\d+\\.\\d+$",
  "^\\d+(?:\\.\\d+)?$",
  "^(0|[1-9][0-9]*)$",
  "^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$",
  "^(?:foo|bar)*$",
  "^(?=.*[a-z])(?=.*\\d).{8,}$",
  "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
  "^[a-z0-9]+(?:-[a-z0-9]+)*$",
  "^\\p{L}+(?: \\p{L}+)*$",
  "^https?://[^\\s/]+(?:/\\S*)?$",
  "^[a-z]{1,64}[a-z0-9]{0,64}$",
  "^v\\d+",
  "^x-.*$",
  "abc",
  "[A-Z]{2,3}\\d{4}",
  "foo\\d+",
];

describe("patterns", () => {
  it.each(slow)("refuses %s", (pattern) => {
    expect(problemOf(pattern)).toMatch(/\/pattern: is a pattern that a long text can keep busy/);
  });

  it.each(fine)("takes %s", (pattern) => {
    expect(problemOf(pattern)).toBeUndefined();
  });

  it("looks at the keys of records, too", () => {
    const type = Type.Unsafe({ type: "object", patternProperties: { "^(a+)+$": {} } });
    expect(() => typebox(type)).toThrow(/\/patternProperties\/\^\(a\+\)\+\$: is a pattern/);
  });

  it("takes any of them where callers are trusted", () => {
    const { validate } = typebox(Type.String({ pattern: "^(a+)+$" }), { allowUnsafePatterns: true })[
      "~standard"
    ];
    expect(validate("aa")).toEqual({ value: "aa" });
  });
});
