import { describe, expect, it } from "vitest";
import { readXlsx } from "../../src/files/read-xlsx.js";
import { checkTable } from "../../src/index.js";
import { fees, lines, row } from "../support/fees.js";
import { type RawCell, type RawWorkbook, workbook } from "../support/workbook.js";

const styles =
  '<numFmts><numFmt numFmtId="170" formatCode="[$-407]d. mmm yyyy"/><numFmt numFmtId="171" formatCode="#,##0.00\\ &quot;days&quot;;[Red]-0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>';

function valuesOf(cells: readonly RawCell[], more: Partial<RawWorkbook> = {}): readonly unknown[] {
  const [sheet] = readXlsx(workbook({ styles, sheets: [{ rows: [cells] }], ...more }));
  return sheet?.rows[0]?.cells ?? [];
}

describe("readXlsx", () => {
  it("reads numbers, booleans and texts in each of their forms", () => {
    const sharedStrings =
      "<si><t>plain</t></si><si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh><t>phonetic</t></rPh></si><si><t>a_x000A_b</t></si>";
    const shared = (index: number) => ({ attributes: 't="s"', xml: `<v>${index}</v>` });
    const formula = { xml: "<f>1+1</f><v>2</v>" };
    const formulaText = { attributes: 't="str"', xml: '<f>"a"&amp;"b"</f><v>ab</v>' };
    const rich = { attributes: 't="inlineStr"', xml: "<is><r><t>in</t></r><r><t>line</t></r></is>" };
    const cells = [shared(0), shared(1), shared(2), 12.5, 1e-7, true, formula, formulaText, rich, "&<>"];
    expect(valuesOf(cells, { sharedStrings })).toEqual([
      "plain",
      "rich",
      "a\nb",
      12.5,
      1e-7,
      true,
      2,
      "ab",
      "inline",
      "&<>",
    ]);
  });

  it("reads what a formula calculated as the spreadsheet shows it, and what was typed as it is", () => {
    const formula = { xml: "<f>0.1+0.2</f><v>0.30000000000000004</v>" };
    expect(valuesOf([formula, 0.30000000000000004])).toEqual([0.3, 0.30000000000000004]);
  });

  it("tells dates from numbers by their format, in both calendars", () => {
    const styled = (style: number, value: number) => ({ attributes: `s="${style}"`, xml: `<v>${value}</v>` });
    const cells = [
      styled(1, 46143),
      styled(2, 46143.25),
      styled(3, 46143),
      styled(0, 46143),
      styled(1, 1),
      styled(1, 61),
    ];
    expect(valuesOf(cells)).toEqual([
      { kind: "date", text: "2026-05-01" },
      { kind: "date", text: "2026-05-01T06:00:00" },
      46143,
      46143,
      { kind: "date", text: "1900-01-01" },
      { kind: "date", text: "1900-03-01" },
    ]);
    const workbookPr = '<workbookPr date1904="1"/>';
    expect(valuesOf([styled(1, 44681)], { workbookPr })).toEqual([{ kind: "date", text: "2026-05-01" }]);
  });

  it("reads cells without references, and gaps between those with", () => {
    const raw =
      '<row><c><v>1</v></c><c><v>2</v></c></row><row r="4"><c r="B4"><v>3</v></c><c r="AA4"><v>4</v></c></row>';
    const [sheet] = readXlsx(workbook({ sheets: [{ rows: [], after: `<sheetData>${raw}</sheetData>` }] }));
    expect(sheet?.rows.map(({ number, cells }) => [number, Object.keys(cells)])).toEqual([
      [1, ["0", "1"]],
      [4, ["1", "26"]],
    ]);
  });

  it("takes the sheet of the contract, and leaves sheets of notes alone", () => {
    // Holds: the rows have such cells.
    const rows = lines([row()]) as RawCell[][];
    const other = lines([row()], { table: "tolls" }) as RawCell[][];
    const bytes = workbook({
      sheets: [{ rows: [["Read me"]] }, { rows: other, name: "Tolls" }, { rows, name: "Fees" }],
    });
    expect(checkTable(fees, { name: "book.xlsx", bytes }).document?.table).toBe("fees");
  });

  it("takes dates in columns of dates, and values of formulas", () => {
    const date = { attributes: 's="1"', xml: "<v>46143</v>" };
    const given = row({
      day: date,
      from: date,
      weight: { xml: "<f>1+1</f><v>2</v>" },
      "out: fee": { xml: "<f>A1</f><v>7</v>" },
    });
    const bytes = workbook({ styles, sheets: [{ rows: lines([given]) as RawCell[][] }] });
    const { document, problems } = checkTable(fees, { name: "fees.xlsx", bytes });
    expect(problems).toEqual([]);
    expect(document?.rules[0]).toMatchObject({
      if: ["eu", "-", 2, "-", "2026-05-01", "-"],
      then: [7, ""],
      from: "2026-05-01",
    });
  });
});
