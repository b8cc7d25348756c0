import { describe, expect, it } from "vitest";
import type { ColumnType } from "../../src/cells/condition.js";
import { parseOutput, type ResultColumn } from "../../src/cells/parse-output.js";
import type { OutputCell } from "../../src/document/document.js";
import { references } from "./columns.js";

function of(type: ColumnType, more: Partial<ResultColumn> = {}): ResultColumn {
  return { path: ["out"], type, isNullable: false, isOptional: false, ...more };
}

const input = { amount: 0.1, day: "2026-01-31" };
const profile = { limit: 100.1, names: { main: "post" } };

const values: readonly (readonly [OutputCell, ResultColumn, unknown])[] = [
  [12.5, of("number"), 12.5],
  ["12.5", of("number"), 12.5],
  ["-3", of("number"), -3],
  ["0.1 + 0.2", of("number"), 0.3],
  ["3-5", of("number"), -2],
  ["2 + 3 * 4", of("number"), 14],
  ["(2 + 3) * 4 / 8", of("number"), 2.5],
  ["10 - 2 - 3", of("number"), 5],
  ["1 / 3", of("number"), 0.333333333333333],
  ["100.1 - 100", of("number"), 0.1],
  ["1.1 * 1.1", of("number"), 1.21],
  ["min(3, 1, 2) + max(4, 5)", of("number"), 6],
  ["round(2.5)", of("number"), 3],
  ["round(-2.5)", of("number"), -3],
  ["round(1.005, 2)", of("number"), 1.01],
  ["round(0.49999999999999994)", of("number"), 0],
  ["floor(-1.5)", of("number"), -2],
  ["ceiling(1.01, 1)", of("number"), 1.1],
  ["round(123456789, 2)", of("number"), 123456789],
  ["input.amount + 0.2", of("number"), 0.3],
  ["round(profile.limit * 2 - input.amount, 1)", of("number"), 200.1],
  ["profile.limit", of("number"), 100.1],
  ["air", of("text"), "air"],
  ["Free, from 50 (domestic)", of("text"), "Free, from 50 (domestic)"],
  ['"null"', of("text"), "null"],
  ['"say \\"hi\\""', of("text"), 'say "hi"'],
  ["12,5", of("text"), "12,5"],
  ["true", of("text"), "true"],
  ["profile.names.main", of("text"), "post"],
  ["true", of("boolean"), true],
  [false, of("boolean"), false],
  ["null", of("number", { isNullable: true }), null],
  [null, of("text", { isNullable: true }), null],
  ["2026-01-31", of("date"), "2026-01-31"],
  ["input.day", of("date"), "2026-01-31"],
  ["2026-01-31T08:00:00+01:00", of("date-time"), "2026-01-31T08:00:00+01:00"],
  ["P3D", of("duration"), "P3D"],
];

const refused: readonly (readonly [OutputCell, ResultColumn, RegExp])[] = [
  ["12,5", of("number"), /comma between digits/],
  ["min(1,5)", of("number"), /comma between digits/],
  ["air", of("number"), /not a number, a reference or a calculation/],
  ["1 +", of("number"), /not complete/],
  ["(1", of("number"), /lacks a "\)"/],
  ["1 2", of("number"), /unexpected/],
  ["1 / 0", of("number"), /no result: division by zero/],
  ["1e300 * 1e300", of("number"), /no result.*too large/],
  ["round(1, 2, 3)", of("number"), /round takes a number/],
  ["round(1, 0.5)", of("number"), /0 to 10 decimal places/],
  ["round(1, input.amount)", of("number"), /0 to 10 decimal places/],
  ["average(1, 2)", of("number"), /unexpected/],
  ["profile.nothing + 1", of("number"), /"profile\.nothing" is not a value/],
  ["profile.names.main * 2", of("number"), /holds texts, and the column holds numbers/],
  ["profile.limit", of("text"), /holds numbers, and the column holds texts/],
  ["profile.names.main + 1", of("text"), /starts like a reference/],
  [5, of("text"), /5 is a number, and the column holds texts/],
  ["yes", of("boolean"), /neither true nor false/],
  ["", of("number"), /empty, and the output schema requires a value/],
  ["-", of("number"), /is no value/],
  ["–", of("text"), /long dash/],
  ["null", of("number"), /no null there/],
  ["31.1.2026", of("date"), /not a date/],
  ["2026-01-31", of("date-time"), /not a date-time/],
  [`${"(".repeat(60)}1${")".repeat(60)}`, of("number"), /too deeply/],
];

describe("output cells", () => {
  it.each(values)("%j", (cell, column, value) => {
    const output = parseOutput(cell, column, references);
    const found =
      output.kind === "computed"
        ? output.compute(input, profile)
        : output.kind === "constant" && output.value;
    expect(found).toBe(value);
  });

  it("leaves out what is empty and optional", () => {
    expect(parseOutput(" ", of("text", { isOptional: true }), references)).toEqual({ kind: "absent" });
  });

  it.each(refused)("%j is refused", (cell, column, message) => {
    expect(() => parseOutput(cell, column, references)).toThrow(
      expect.objectContaining({ name: "CellError", message: expect.stringMatching(message) }),
    );
  });

  it("fails where arithmetic meets an absent value, or divides by zero", () => {
    const absent = parseOutput("input.amount * 2", of("number"), references);
    const division = parseOutput("1 / input.amount", of("number"), references);
    const compute = (output: typeof absent, given: unknown) => () =>
      output.kind === "computed" && output.compute(given, {});
    expect(compute(absent, {})).toThrow('"input.amount * 2" has no result: input.amount is not a number');
    expect(compute(division, { amount: 0 })).toThrow("division by zero");
  });
});
