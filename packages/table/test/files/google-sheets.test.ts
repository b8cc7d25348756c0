import { strToU8, zipSync } from "fflate";
import { expect, it } from "vitest";
import { checkTable } from "../../src/index.js";
import { csv, fees, lines, row } from "../support/fees.js";

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const parts = "application/vnd.openxmlformats-officedocument";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const rows = lines([
  row({ weight: "> 5", isGift: true, day: "2026-05-01", note: "two words", from: "2026-01-01" }),
  row({ rule: "r2", zone: "world", city: " Köln ", weight: 12.5, "out: fee": 7, "out: carrier": "air" }),
]);

/** Styles: 1 centres, 2 shows a date with a format of its own, 3 with a built-in one. */
const dateStyle: Readonly<Record<string, number>> = { "2026-05-01": 2, "2026-01-01": 3 };
const serials: Readonly<Record<string, number>> = { "2026-05-01": 46143, "2026-01-01": 46023 };

const texts: string[] = [];
const shared = (text: string) => {
  if (!texts.includes(text)) texts.push(text);
  return texts.indexOf(text);
};

function cellXml(value: unknown, at: string): string {
  if (value === undefined) return `<c r="${at}" s="1"/>`;
  if (typeof value === "boolean") return `<c r="${at}" s="1" t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === "number") return `<c r="${at}" s="1"><v>${value}</v></c>`;
  const text = String(value);
  const serial = serials[text];
  if (serial !== undefined) return `<c r="${at}" s="${dateStyle[text]}"><v>${serial}.0</v></c>`;
  // What a formula of texts gives is a text; the rest is shared.
  if (text === "air") return `<c r="${at}" s="1" t="str"><f>IF(D7&gt;5,"air","")</f><v>air</v></c>`;
  return `<c r="${at}" s="1" t="s"><v>${shared(text)}</v></c>`;
}

const rowXml = rows.map((cells, index) => {
  const xml = Array.from({ length: 12 }, (_, column) =>
    cellXml(cells[column], `${String.fromCharCode(65 + column)}${index + 1}`),
  );
  return index === 4
    ? `<row r="${index + 1}" ht="18.0" customHeight="1">${xml.join("")}</row>`
    : `<row r="${index + 1}">${xml.join("")}</row>`;
});

const sheet =
  `${declaration}<worksheet xmlns="${main}" xmlns:r="${kinds}" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">` +
  '<sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr>' +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="5.0" topLeftCell="A6" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/>' +
  '<cols><col customWidth="1" min="1" max="1" width="20.0"/><col hidden="1" min="14" max="26"/></cols>' +
  `<sheetData>${rowXml.join("")}<row r="8"><c r="A8" s="1"/></row><row r="9" hidden="1"/></sheetData>` +
  '<dataValidations><dataValidation type="list" allowBlank="1" sqref="B6:B7"><formula1>"eu,world"</formula1></dataValidation></dataValidations>' +
  '<drawing r:id="rId1"/></worksheet>';

const styles =
  `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>` +
  '<cellStyleXfs count="1"><xf borderId="0" fillId="0" fontId="0" numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" xfId="0"/><xf numFmtId="0" xfId="0" applyAlignment="1"><alignment readingOrder="0"/></xf>' +
  '<xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>';

const relations = (list: readonly (readonly [id: string, kind: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${list.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${kinds}/${kind}" Target="${target}"/>`).join("")}</Relationships>`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param folder - before the targets of the workbook's relations */
function book(folder: string): Uint8Array {
  const files = {
    "xl/drawings/drawing1.xml": `${declaration}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`,
    "xl/worksheets/sheet1.xml": sheet,
    "xl/worksheets/_rels/sheet1.xml.rels": relations([["rId1", "drawing", "../drawings/drawing1.xml"]]),
    "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${kinds}"><workbookPr/><sheets><sheet state="visible" name="Fees &amp; more" sheetId="1" r:id="rId4"/></sheets><definedNames/><calcPr/></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ["rId1", "theme", `${folder}theme/theme1.xml`],
      ["rId2", "styles", `${folder}styles.xml`],
      ["rId3", "sharedStrings", `${folder}sharedStrings.xml`],
      ["rId4", "worksheet", `${folder}worksheets/sheet1.xml`],
    ]),
    "xl/styles.xml": styles,
    "xl/theme/theme1.xml": `${declaration}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Sheets"/>`,
    "xl/sharedStrings.xml": `${declaration}<sst xmlns="${main}" count="${texts.length}" uniqueCount="${texts.length}">${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "[Content_Types].xml": `${declaration}<Types xmlns="${packages}/content-types"><Default ContentType="application/xml" Extension="xml"/><Override ContentType="${parts}.spreadsheetml.sheet.main+xml" PartName="/xl/workbook.xml"/></Types>`,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

it.each(["", "/xl/"])("a workbook as Google Sheets saves it reads as its CSV; targets after %j", (folder) => {
  const fromCsv = checkTable(fees, { name: "fees.csv", bytes: strToU8(csv(rows, ",", 12)) });
  const fromBook = checkTable(fees, { name: "fees.xlsx", bytes: book(folder) });
  expect(fromBook.problems).toEqual([]);
  expect(fromCsv.document?.rules).toHaveLength(2);
  expect(fromBook.document).toEqual(fromCsv.document);
  expect(fromBook.document?.rules[0]).toMatchObject({ if: ["eu", "-", "> 5", true, "2026-05-01", "-"] });
});
