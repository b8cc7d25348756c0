import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkTable, readTable, readTableDocument, tableContract } from "../src/index.js";
import { csv, errorsIn, fees, heading, lines, row } from "./support/fees.js";
import { type RawCell, workbook } from "./support/workbook.js";

/** Each with the lines of the file, and where the error stands: row, column, message. */
const inCsv: readonly (readonly [
  what: string,
  lines: readonly (readonly unknown[])[],
  where: string,
  message: RegExp,
])[] = [
  ["a comma in a number", lines([row({ weight: "12,5" })]), "6 D", /comma between digits/],
  ["a comma in a result", lines([row({ "out: fee": "12,5" })]), "6 H", /comma between digits/],
  ["a blank row inside", lines([row(), [], row({ rule: "r2" })]), "7 -", /row 7 is blank/],
  [
    "blank rows inside",
    lines([row(), [], row().map(() => ""), row({ rule: "r2" })]),
    "7 -",
    /rows 7 to 8 are blank/,
  ],
  [
    "a date that is not ISO",
    lines([row({ day: "31.12.2026" })]),
    "6 F",
    /not a date; write it as 2026-03-31/,
  ],
  ["a boundary that is not ISO", lines([row({ from: "1.1.2026" })]), "6 K", /neither a date/],
  [
    "a boundary without an offset",
    lines([row({ until: "2026-01-01T00:00:00" })]),
    "6 L",
    /date-time with an offset/,
  ],
  [
    "a row that is never in force",
    lines([row({ from: "2026-02-01", until: "2026-02-01" })]),
    "6 L",
    /not after from/,
  ],
  [
    "a path that the input lacks",
    lines([row()]).map((line, at) =>
      at === 4 ? line.map((cell) => (cell === "city" ? "town" : cell)) : line,
    ),
    "5 C",
    /"town" is unknown to the input schema/,
  ],
  [
    "a path that the output lacks",
    lines([row()]).map((line, at) =>
      at === 4 ? line.map((cell) => (cell === "out: carrier" ? "out: courier" : cell)) : line,
    ),
    "5 I",
    /"courier" is unknown to the output schema/,
  ],
  [
    "a path twice",
    lines([row()]).map((line, at) =>
      at === 4 ? line.map((cell) => (cell === "city" ? "zone" : cell)) : line,
    ),
    "5 C",
    /path of an earlier column/,
  ],
  [
    "a member that the enum lacks",
    lines([row({ zone: "mars" })]),
    "6 B",
    /"mars" is not one of the values.*eu, world/,
  ],
  ["a bound that can never match", lines([row({ weight: "> 30" })]), "6 D", /can never match.*at most 30/],
  ["an empty interval", lines([row({ weight: "[5..1]" })]), "6 D", /empty interval/],
  ["null where there is none", lines([row({ zone: "null" })]), "6 B", /has no null/],
  [
    "a reference to nothing",
    lines([row({ weight: "> profile.limit" })]),
    "6 D",
    /not a value in the schema of the profile/,
  ],
  ["an output that breaks its schema", lines([row({ "out: fee": 500 })]), "6 H", /breaks the output schema/],
  ["an output that is missing", lines([row({ "out: fee": "" })]), "6 H", /requires a value/],
  ["a missing cell", lines([row().slice(0, 8)]), "6 -", /has 8 cells, and the heading has 12/],
  ["an extra cell", lines([[...row(), "more"]]), "6 M", /has no heading/],
  [
    "outputs without their mark",
    lines([row()]).map((line, at) => (at === 4 ? line.map((cell) => `${cell}`.replace("out: ", "")) : line)),
    "- -",
    /heading of an output begins with → or out:$/,
  ],
  [
    "a heading that is missing",
    lines([row()]).map((line, at) => (at === 4 ? line.map((cell) => (cell === "day" ? "" : cell)) : line)),
    "5 F",
    /no heading, but columns behind/,
  ],
  ["an id twice", lines([row(), row()]), "7 A", /"r1" is the id of an earlier row/],
  [
    "two defaults",
    lines([row(), row({ rule: "default", zone: "" }), row({ rule: "Default", zone: "-" })]),
    "8 -",
    /second default/,
  ],
  ["a default with a condition", lines([row(), row({ rule: "default" })]), "7 B", /condition of the default/],
  [
    "an unknown policy",
    lines([row()], { "hit policy": "X" }),
    "3 B",
    /"X" is not a hit policy; there are U, A/,
  ],
  ["a policy that returns a list", lines([row()], { "hit policy": "C" }), "3 B", /C returns a list/],
  [
    "another table",
    lines([row()], { table: "tolls" }),
    "1 B",
    /"tolls" is not the id of the contract, "fees"/,
  ],
  ["no version", lines([row()], { version: "" }), "2 B", /version is missing/],
  [
    "an unknown line",
    [["tabel", "fees"], ...lines([row()])],
    "1 A",
    /is not a line that a table has before its heading/,
  ],
  ["a line twice", [["version", "1"], ...lines([row()])], "3 A", /repeats the line "version"/],
  [
    "a column twice",
    lines([row()]).map((line, at) =>
      at === 4 ? line.map((cell) => (cell === "until" ? "note" : cell)) : line,
    ),
    "5 L",
    /repeats the column "note"/,
  ],
];

const date = { attributes: 's="1"', xml: "<v>46143</v>" } as const;
const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="22"/></cellXfs>';

function book(
  rows: readonly (readonly unknown[])[],
  more: Readonly<Record<string, unknown>> = {},
): Uint8Array {
  // Holds: the rows of this file have such cells.
  return workbook({
    styles,
    sheets: [{ name: "Fees", rows: rows as readonly (readonly RawCell[])[], ...more }],
  });
}

const inXlsx: readonly (readonly [what: string, bytes: Uint8Array, where: string, message: RegExp])[] = [
  [
    "a formula without a value",
    book(lines([row({ weight: { xml: "<f>A1*2</f>" } })])),
    "Fees 6 D",
    /formula without a value/,
  ],
  [
    "an error",
    book(lines([row({ "out: fee": { attributes: 't="e"', xml: "<f>1/0</f><v>#DIV/0!</v>" } })])),
    "Fees 6 H",
    /has the error #DIV\/0!/,
  ],
  [
    "merged cells",
    book(lines([row(), row({ rule: "r2" })]), { after: '<mergeCells><mergeCell ref="B6:B7"/></mergeCells>' }),
    "Fees 6 B",
    /merged cells, B6:B7/,
  ],
  [
    "a hidden row",
    book(lines([row(), row({ rule: "r2" })]), { rowAttributes: { 7: 'hidden="1"' } }),
    "Fees 7 -",
    /hidden row/,
  ],
  [
    "a hidden column",
    book(lines([row()]), { before: '<cols><col min="3" max="3" hidden="1"/></cols>' }),
    "Fees 5 C",
    /hidden column/,
  ],
  ["a hidden sheet", book(lines([row()]), { state: "hidden" }), "Fees - -", /hidden sheet/],
  ["a blank row inside", book(lines([row(), [], row({ rule: "r2" })])), "Fees 7 -", /row 7 is blank/],
  [
    "a number in a column of texts",
    book(lines([row({ city: 1067 })])),
    "Fees 6 C",
    /1067 is a number, and the column holds texts.*format the cell as text/,
  ],
  ["a date in a column of texts", book(lines([row({ city: date })])), "Fees 6 C", /the spreadsheet made one/],
  ["a date in a column of numbers", book(lines([row({ weight: date })])), "Fees 6 D", /date|not a number/],
  [
    "a date that has a time",
    book(lines([row({ day: { attributes: 's="2"', xml: "<v>46143.5</v>" } })])),
    "Fees 6 F",
    /not a date/,
  ],
  [
    "a date-time without an offset",
    book(lines([row({ at: { attributes: 's="2"', xml: "<v>46143.5</v>" } })])),
    "Fees 6 G",
    /no offset/,
  ],
  [
    "a number in a result of texts",
    book(lines([row({ "out: carrier": 5 })])),
    "Fees 6 I",
    /5 is a number, and the column holds texts/,
  ],
  [
    "a version that is a number",
    book(lines([row()], { version: 1.1 })),
    "Fees 2 B",
    /not a text; format the cell as text/,
  ],
  [
    "an id that is a date",
    book(lines([row({ rule: date })])),
    "Fees 6 A",
    /is the date 2026-05-01; format the cell as text/,
  ],
  ["an extra cell", book(lines([[...row(), "more"]])), "Fees 6 M", /has no heading/],
  [
    "two tables of one id",
    workbook({ sheets: [{ rows: lines([row()]) as RawCell[][] }, { rows: lines([row()]) as RawCell[][] }] }),
    "- - -",
    /has two tables "fees"/,
  ],
  [
    "tables of other ids",
    workbook({ sheets: ["a", "b"].map((table) => ({ rows: lines([row()], { table }) as RawCell[][] })) }),
    "- - -",
    /no table "fees"; its tables are a, b/,
  ],
];

const inFiles: readonly (readonly [what: string, bytes: Uint8Array | string, message: RegExp])[] = [
  ["no heading line", "table,fees\nversion,1\n", /no heading line/],
  [
    "text that is not UTF-8",
    Uint8Array.from([...new TextEncoder().encode("rule,zone\nr1,"), 0xfc]),
    /not UTF-8/,
  ],
  ["a quotation mark that is not closed", 'rule,zone\nr1,"eu', /^- 2 B: is not CSV: .*none ends it/],
  ["a quotation mark within a field", 'rule,zone,city\nr1,eu,19" wide', /^- 2 C: is not CSV: .*within/],
  ["text behind a quoted field", 'rule,zone\nr1,eu\n"r2"x,eu', /^- 3 A: is not CSV: .*within/],
  ["JSON that ends early", '{ "table": "fees"', /is not JSON/],
  ["an old Excel file", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /save it as Excel workbook/],
  [
    "a workbook that ends early",
    workbook({ sheets: [{ rows: [["rule"]] }] }).subarray(0, 500),
    /not a complete workbook/,
  ],
  ["a workbook without a table", workbook({ sheets: [{ rows: [["Notes"]] }] }), /has no table/],
  ["a document type", workbook({ sheets: [{ rows: [["rule"]], after: "<!DOCTYPE a>" }] }), /XML/],
];

describe("a table is refused for", () => {
  it.each(inCsv)("%s", (_what, all, where, message) => {
    for (const delimiter of [",", ";", "\t"]) {
      const errors = errorsIn("fees.csv", csv(all, delimiter));
      expect(errors).toEqual([expect.stringMatching(message)]);
      expect(errors[0]).toMatch(new RegExp(`^- ${where}: `));
    }
  });

  it.each(inXlsx)("%s in a workbook", (_what, bytes, where, message) => {
    const errors = errorsIn("fees.xlsx", bytes);
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(errors[0]?.startsWith(`${where}: `)).toBe(true);
  });

  it.each(inFiles)("%s", (_what, bytes, message) => {
    expect(errorsIn("fees", bytes)).toEqual([expect.stringMatching(message)]);
  });

  it("aggregates of text, and several outputs", () => {
    const schemas = { inputSchema: fees.inputSchema, profileSchema: fees.profileSchema };
    const texts = tableContract({ id: "fees", ...schemas, outputSchema: z.object({ fee: z.string() }) });
    const both = lines([row()], { "hit policy": "C+" });
    const one = both.map((line) => line.filter((_, at) => at !== 8));
    expect(errorsIn("fees.csv", csv(one), texts)).toEqual([
      "- 5 H: C+ makes a number, and the output holds texts",
    ]);
    expect(errorsIn("fees.csv", csv(both))[0]).toMatch(/there can be one output/);
  });

  it.each(["default", "Default"])("a row that a sheet would take for the default: %s", (id) => {
    const { id: table } = fees;
    const rules = [{ id, if: [], then: [1, "air"] }];
    const outputs = [{ path: "fee" }, { path: "carrier" }];
    const document = { table, version: "1", hitPolicy: "F", inputs: [], outputs, rules };
    const problem = { path: "/rules/0/id", message: `"${id}" is the id of the default` };
    expect(checkTable(fees, { name: "fees.json", document }).problems).toMatchObject([problem]);
    expect(readTableDocument({ name: "fees.json", document }).problems).toMatchObject([problem]);
  });

  it("a required output without a column, once", () => {
    const strict = tableContract({ ...fees, outputSchema: z.object({ fee: z.number(), tax: z.number() }) });
    const rows = lines([row(), row({ rule: "r2" })]).map((line) => line.filter((_, at) => at !== 8));
    expect(errorsIn("fees.csv", csv(rows), strict)).toEqual([
      expect.stringMatching(/lack a column that the output schema requires: "tax"/),
    ]);
  });

  it("priorities that are missing, unknown or of a policy without", () => {
    const priority = [
      "priority",
      ...heading.slice(1).map((name) => (name === "out: carrier" ? "air, post" : "")),
    ];
    const table = (policy: string, more: readonly unknown[][], carrier: string) =>
      errorsIn(
        "fees.csv",
        csv([...more, ...lines([row({ "out: carrier": carrier })], { "hit policy": policy })]),
      );
    expect(table("P", [priority], "air")).toEqual([]);
    expect(table("P", [priority], "ship")).toEqual([
      expect.stringMatching(/^- 7 I: "ship" is not in the order of priority: "air", "post"/),
    ]);
    expect(table("P", [], "air")).toEqual([expect.stringMatching(/P needs an output with its values/)]);
    expect(table("F", [priority], "air")).toEqual([
      expect.stringMatching(/only for the hit policies P and O/),
    ]);
  });

  it("two rows of U, and two results of A, where that is certain", () => {
    const table = (policy: string, ...rows: readonly unknown[][]) =>
      errorsIn("fees.csv", csv(lines(rows, { "hit policy": policy })));
    const light = row({ weight: "<= 5", "out: fee": 1 });
    const heavy = row({ rule: "r2", weight: ">= 5", "out: fee": 2 });
    const overlap = /^- 7 -: the rows "r1" and "r2" overlap.*"weight":5/;
    expect(table("U", light, heavy)).toEqual([expect.stringMatching(overlap)]);
    expect(table("A", light, heavy)).toEqual([expect.stringMatching(overlap)]);
    expect(table("A", light, row({ rule: "r2", "out: fee": 1 }))).toEqual([]);
    expect(table("U", light, row({ rule: "r2", weight: "> 5" }))).toEqual([]);
    expect(table("U", light, row({ rule: "r2", weight: "> profile.base" }))).toEqual([]);
    expect(table("F", light, heavy)).toEqual([]);
  });

  it("everything at once, up to 100 problems", () => {
    const some = errorsIn(
      "fees.csv",
      csv(lines([row({ weight: "a", "out: fee": "b" }), row({ zone: "c" })])),
    );
    expect(some.map((error) => error.split(":")[0])).toEqual(["- 6 D", "- 6 H", "- 7 A", "- 7 B"]);
    const many = Array.from({ length: 200 }, (_, index) => row({ rule: `r${index}`, weight: "heavy" }));
    expect(errorsIn("fees.csv", csv(lines(many)))).toHaveLength(100);
  });

  it("as an error that names file, sheet, row and column", () => {
    const source = { name: "fees.xlsx", bytes: book(lines([row({ zone: "mars" })])) };
    expect(() => readTable(fees, source)).toThrow(DecernError);
    expect(() => readTable(fees, source)).toThrow(
      expect.objectContaining({
        code: "INVALID_DECISION",
        problems: [
          {
            path: "/rules/0/if/0",
            message: expect.stringMatching(/^fees\.xlsx, sheet "Fees", row 6, column B: "mars"/),
          },
        ],
      }),
    );
  });

  it("a missing id only with a warning", () => {
    const { problems, document } = checkTable(fees, {
      name: "fees.csv",
      bytes: new TextEncoder().encode(csv(lines([row({ rule: "" })]))),
    });
    expect(problems).toEqual([
      {
        severity: "warning",
        path: "/rules/0/id",
        message: expect.stringContaining('called "row-1"'),
        place: { file: "fees.csv", row: 6, column: "A" },
      },
    ]);
    expect(document?.rules[0]?.id).toBe("row-1");
  });
});
