import { describe, expect, it } from "vitest";
import type { Column, Condition, Endpoint, Scalar, Test } from "../../src/cells/condition.js";
import { parseCondition } from "../../src/cells/parse-condition.js";
import type { InputCell } from "../../src/document/document.js";
import { column, references } from "./columns.js";

const literal = (value: Scalar): Endpoint => ({ kind: "literal", value });
const is = (value: Scalar): Test => ({ kind: "compare", operator: "=", endpoint: literal(value) });
const compare = (operator: "<" | "<=" | ">" | ">=" | "!=", value: Scalar): Test => ({
  kind: "compare",
  operator,
  endpoint: literal(value),
});
const tests = (...list: readonly Test[]): Condition => ({ kind: "tests", isNegated: false, tests: list });
const not = (...list: readonly Test[]): Condition => ({ kind: "tests", isNegated: true, tests: list });
const nothing: Test = { kind: "null" };
const any: Condition = { kind: "any" };
const interval = (low: Scalar, high: Scalar, ends: string): Test => ({
  kind: "interval",
  low: literal(low),
  isLowClosed: ends.startsWith("["),
  high: literal(high),
  isHighClosed: ends.endsWith("]"),
});
const reference = (root: "profile" | "input", ...path: string[]): Endpoint => ({
  kind: "reference",
  root,
  path,
});

const number = column("number");
const nullable = column("number", { isNullable: true });
const text = column("text");
const zones = column("text", { members: ["domestic", "eu", "rest of world"] });
const levels = column("number", { members: [1, 2, 5] });
const percent = column("number", {
  minimum: { value: 0, isClosed: true },
  maximum: { value: 100, isClosed: false },
});
const count = column("number", { isInteger: true, minimum: { value: 1, isClosed: true } });
const halves = column("number", { multipleOf: 0.5 });
const date = column("date");
const instant = column("date-time");
const duration = column("duration");
const boolean = column("boolean");

const day = 86_400_000;

const accepted: readonly (readonly [InputCell, Column, Condition])[] = [
  ["", number, any],
  [" - ", text, any],
  ["5", number, tests(is(5))],
  [5, number, tests(is(5))],
  ["-0.5e2", number, tests(is(-50))],
  ["= 5", number, tests(is(5))],
  ["!= 5", number, tests(compare("!=", 5))],
  ["<5, >=7", number, tests(compare("<", 5), compare(">=", 7))],
  ["1, 2", number, tests(is(1), is(2))],
  ["[1..2.5)", number, tests(interval(1, 2.5, "[)"))],
  ["(-1 .. 2], 9", number, tests(interval(-1, 2, "(]"), is(9))],
  ["not(1, [3..4])", number, not(is(1), interval(3, 4, "[]"))],
  ["null", nullable, tests(nothing)],
  [null, nullable, tests(nothing)],
  ["= null", nullable, tests(nothing)],
  ["null, > 5", nullable, tests(nothing, compare(">", 5))],
  ["not(null)", nullable, not(nothing)],
  [
    "> profile.limit",
    number,
    tests({ kind: "compare", operator: ">", endpoint: reference("profile", "limit") }),
  ],
  [
    "[0..profile.limit]",
    number,
    tests({
      kind: "interval",
      low: literal(0),
      isLowClosed: true,
      high: reference("profile", "limit"),
      isHighClosed: true,
    }),
  ],
  ["abroad", text, tests(is("abroad"))],
  ["at home, far away", text, tests(is("at home"), is("far away"))],
  ["Müller & Co. KG/AG", text, tests(is("Müller & Co. KG/AG"))],
  ["01067", text, tests(is("01067"))],
  ["true", text, tests(is("true"))],
  ["nullable", text, tests(is("nullable"))],
  ["not available", text, tests(is("not available"))],
  ['"a, \\"b\\" (c)", d', text, tests(is('a, "b" (c)'), is("d"))],
  ['"null"', text, tests(is("null"))],
  ['"12,5"', text, tests(is("12,5"))],
  ['!= "x"', text, tests(compare("!=", "x"))],
  ["not(a, b)", text, not(is("a"), is("b"))],
  [
    "profile.names.main",
    text,
    tests({ kind: "compare", operator: "=", endpoint: reference("profile", "names", "main") }),
  ],
  [
    "not(profile.names.main)",
    zones,
    not({ kind: "compare", operator: "=", endpoint: reference("profile", "names", "main") }),
  ],
  [
    "not([profile.limit..100])",
    percent,
    not({
      kind: "interval",
      low: reference("profile", "limit"),
      isLowClosed: true,
      high: { kind: "literal", value: 100 },
      isHighClosed: true,
    }),
  ],
  ["eu, rest of world", zones, tests(is("eu"), is("rest of world"))],
  ["> 2", levels, tests(compare(">", 2))],
  ["not(1)", levels, not(is(1))],
  ["true", boolean, tests(is(true))],
  [false, boolean, tests(is(false))],
  ["1970-01-02", date, tests(is(1))],
  ['"1970-01-02"', date, tests(is(1))],
  ["[2000-02-29..2000-03-01)", date, tests(interval(11_016, 11_017, "[)"))],
  [">= input.day", date, tests({ kind: "compare", operator: ">=", endpoint: reference("input", "day") })],
  ["< 1970-01-01T01:00:00+01:00", instant, tests(compare("<", 0))],
  ["[1970-01-01T00:00Z..1970-01-01T00:00:01.5Z]", instant, tests(interval(0, 1500, "[]"))],
  ["> P1DT2H", duration, tests(compare(">", day + 7_200_000))],
  ["[PT1M..P1W]", duration, tests(interval(60_000, 7 * day, "[]"))],
  ["[0..100)", percent, tests(interval(0, 100, "[)"))],
  ["> 99.9", percent, tests(compare(">", 99.9))],
  ["[1..1]", count, tests(interval(1, 1, "[]"))],
  ["1.5", halves, tests(is(1.5))],
];

const refused: readonly (readonly [InputCell, Column, RegExp])[] = [
  ["12,5", number, /"12,5" has a comma between digits.*write 12\.5.*blank/],
  ["> 12,5", number, /"12,5"/],
  ["1,2", text, /comma between digits/],
  ["1.234,5", number, /"1\.234,5" has a comma.*leave out separators of thousands.*two values/],
  ["1,234.5", number, /"1,234\.5" has a comma.*leave out separators of thousands/],
  ["12/31/2026", date, /"12\/31\/2026" is not a date; write it as 2026-03-31/],
  ["abroad", number, /"abroad" is not a number/],
  ["5 kg", number, /unexpected|not a number/],
  ["5kg", number, /"5kg" is not a number/],
  ["1.2.3", number, /"1\.2\.3" is not a number/],
  ["1e999", number, /too large/],
  ['"5"', number, /"5" is a text, and the column holds numbers/],
  [5, text, /5 is a number, and the column holds texts; write it as text/],
  [true, number, /true or false, and the column holds numbers/],
  ["–", text, /long dash; write -/],
  ["“abroad”", text, /typographic quotation mark/],
  ["≤ 5", number, /write <=/],
  ["a(b", text, /quotation marks/],
  ["a..b", text, /quotation marks/],
  ['"a" b', text, /unexpected/],
  ['"a', text, /quotation marks/],
  ['"\\x"', text, /is not a text/],
  ["> a", text, /the column holds texts, which ">" cannot compare/],
  ["[a..b]", text, /cannot compare/],
  ["> true", boolean, /cannot compare/],
  ["yes", boolean, /"yes" is neither true nor false/],
  ["not(1", number, /no "\)"/],
  ["[1..2", number, /lacks "\]" or "\)"/],
  ["[1,2]", number, /comma between digits/],
  ["[1, 2]", number, /lacks "\.\."/],
  ["1,", number, /value is missing/],
  [", 1", number, /value is missing/],
  ["> ", number, /">" lacks a value at its end/],
  ["!= null", nullable, /write not\(null\)/],
  ["[5..1]", number, /empty interval/],
  ["[5..5)", number, /empty interval/],
  ["(2026-01-01..2026-01-01]", date, /empty interval/],
  ["null", number, /the input schema has no null/],
  [null, number, /the input schema has no null/],
  ["not(null)", number, /the input schema has no null/],
  ["> profile.limits", number, /"profile\.limits" is not a value in the schema of the profile/],
  ["input.day", number, /"input\.day" holds dates, and the column holds numbers/],
  ["profile.limit", text, /holds numbers, and the column holds texts/],
  [
    "abroad",
    zones,
    /"abroad" is not one of the values that the input schema lists: domestic, eu, rest of world/,
  ],
  ["!= abroad", zones, /not one of the values/],
  ["not(domestic, eu, rest of world)", zones, /excludes every value/],
  ["not(true, false)", boolean, /excludes every value/],
  ["3", levels, /3 is not one of the values/],
  ["> 5", levels, /can never match/],
  [">= 100", percent, /can never match: the input schema allows at least 0, less than 100/],
  ["-1", percent, /can never match/],
  ["5, 200", percent, /can never match/],
  ["not(>= 0)", percent, /can never match/],
  ["not(200)", percent, /excludes what can never match: the input schema allows/],
  ["(1..2)", count, /can never match.*whole numbers/],
  ["1.5", count, /can never match/],
  ["< 1", count, /can never match/],
  ["0.7", halves, /can never match.*multiples of 0\.5/],
  ["2026-02-30", date, /not a date; write it as 2026-03-31/],
  ["31.12.2026", date, /not a date/],
  ["2026-01-01", instant, /not a date-time/],
  ["2026-01-01T10:00:00", instant, /no offset.*2026-01-01T10:00:00Z/],
  ["2026-01-01T24:00:00Z", instant, /not a date-time/],
  ["P1M", duration, /years or months, whose length varies/],
  ["3 days", duration, /not a duration/],
];

describe("conditions", () => {
  it.each(accepted)("%j", (cell, of, condition) => {
    expect(parseCondition(cell, of, references)).toEqual(condition);
  });

  it.each(refused)("%j is refused", (cell, of, message) => {
    expect(() => parseCondition(cell, of, references)).toThrow(
      expect.objectContaining({ name: "CellError", message: expect.stringMatching(message) }),
    );
  });
});
