import { strToU8, zipSync } from "fflate";
import { defaultId, type InputCell, type OutputCell, type TableDocument } from "../document/document.js";
import { columnLetters } from "./cells.js";

/** What a column holds, for the people who fill it in. */
export interface ColumnHint {
  /** In a word or two, for the line `type`. */
  readonly type: string;
  /** Whether what is typed stays text, whatever it looks like. */
  readonly isText: boolean;
  /** What a drop-down offers. Other cells, such as `not(…)`, stay possible. */
  readonly choices?: readonly string[] | undefined;
}

/**
 * Writes a workbook with one table.
 *
 * @param hints - one per input and output, in their order
 */
export function writeXlsx(document: TableDocument, hints?: readonly ColumnHint[]): Uint8Array {
  const { rows, heading } = layOut(
    document,
    "→ ",
    hints?.map(({ type }) => type),
  );
  const name = document.table.replaceAll(/[[\]:*?/\\]/g, "-").slice(0, 31);
  const parts = {
    "[Content_Types].xml": contentTypes,
    "_rels/.rels": relationships([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ["rId1", "worksheet", "worksheets/sheet1.xml"],
      ["rId2", "styles", "styles.xml"],
    ]),
    "xl/styles.xml": styles,
    "xl/worksheets/sheet1.xml": worksheet(rows, heading, hints ?? []),
  };
  // Without the time of writing, the same table has the same bytes.
  const files = Object.entries(parts).map(([path, text]) => [path, strToU8(text)] as const);
  return zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) });
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packageRelations = "http://schemas.openxmlformats.org/package/2006/relationships";
const workbookTypes = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const contentTypes = `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookTypes}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${workbookTypes}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${workbookTypes}.styles+xml"/></Types>`;

/** 0: plain, 1: bold, 2: text. */
const styles = `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function relationships(list: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const items = list.map(
    ([id, kind, target]) => `<Relationship Id="${id}" Type="${officeRelations}/${kind}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packageRelations}">${items.join("")}</Relationships>`;
}

function worksheet(
  rows: readonly (readonly SheetCell[])[],
  heading: number,
  hints: readonly ColumnHint[],
): string {
  const width = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index) => {
    const longest = Math.max(...rows.slice(0, 200).map((row) => String(row[index] ?? "").length));
    const style = hints[index - 1]?.isText === true ? ' style="2"' : "";
    return `<col min="${index + 1}" max="${index + 1}" width="${Math.min(Math.max(longest + 2, 10), 60)}" customWidth="1"${style}/>`;
  });
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) => {
      const style = index === heading ? 1 : index > heading && typeof cell === "string" ? 2 : 0;
      return cellXml(cell, `${columnLetters(column)}${index + 1}`, style);
    });
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  const pane = `<sheetViews><sheetView workbookViewId="0"><pane ySplit="${heading + 1}" topLeftCell="A${heading + 2}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  return `${declaration}<worksheet xmlns="${main}">${pane}<cols>${columns.join("")}</cols><sheetData>${lines.join("")}</sheetData>${validations(hints, heading)}</worksheet>`;
}

function cellXml(cell: SheetCell, reference: string, style: number): string {
  const start = `<c r="${reference}"${style === 0 ? "" : ` s="${style}"`}`;
  if (cell === undefined) return "";
  if (typeof cell === "number") return `${start}><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

/** Excel takes at most 255 characters for the choices of a drop-down. */
const mostChoices = 255;

function validations(hints: readonly ColumnHint[], heading: number): string {
  const items = hints.flatMap(({ choices = [] }, index) => {
    const list = choices.join(",");
    // A comma separates choices, and there is no way to write one.
    if (list === "" || list.length > mostChoices || choices.some((choice) => /[,"]/.test(choice))) return [];
    const letters = columnLetters(index + 1);
    const range = `${letters}${heading + 2}:${letters}10000`;
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="0" sqref="${range}"><formula1>"${escaped(list)}"</formula1></dataValidation>`,
    ];
  });
  return items.length === 0
    ? ""
    : `<dataValidations count="${items.length}">${items.join("")}</dataValidations>`;
}

function escaped(text: string): string {
  return text
    .replaceAll(/_x(?=[0-9A-Fa-f]{4}_)/g, "_x005F_x")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(
      /[\p{Cc}￾￿]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    );
}

type SheetCell = string | number | boolean | undefined;

/** The lines of a table in a sheet or a CSV file, as `readSheetTable` reads them. */
interface WrittenSheet {
  readonly rows: readonly (readonly SheetCell[])[];
  /** Index of the heading line. */
  readonly heading: number;
}

/**
 * Lays a table out in lines.
 *
 * @param outputMark - stands before the paths of outputs
 * @param types - a line for readers that says what each column holds
 */
function layOut(
  { table, version, hitPolicy, inputs, outputs, rules, default: otherwise }: TableDocument,
  outputMark: "→ " | "out: ",
  types?: readonly string[],
): WrittenSheet {
  const columns = [...inputs, ...outputs];
  const priorities = [...inputs.map(() => undefined), ...outputs.map(({ priority }) => priority)];
  const extras = (["note", "from", "until"] as const).filter(
    (name) => name === "note" || rules.some((rule) => rule[name] !== undefined),
  );
  const rows: (readonly SheetCell[])[] = [
    ["table", table],
    ["version", version],
    ["hit policy", hitPolicy],
  ];
  if (columns.some(({ label }) => label !== undefined))
    rows.push(["label", ...columns.map(({ label }) => freeText(label))]);
  if (priorities.some((priority) => priority !== undefined))
    rows.push([
      "priority",
      ...priorities.map((priority) => priority?.map((value) => JSON.stringify(value)).join(", ")),
    ]);
  if (types !== undefined) rows.push(["type", ...types]);
  const heading = rows.length;
  rows.push([
    "rule",
    ...inputs.map(({ path }) =>
      /^(?:note|from|until|in:.*|out:.*|→.*)$/isu.test(path) ? `in: ${path}` : path,
    ),
    ...outputs.map(({ path }) => outputMark + path),
    ...extras,
  ]);
  for (const rule of rules)
    rows.push([
      freeText(rule.id),
      ...rule.if.map(cellOf),
      ...rule.then.map(cellOf),
      ...extras.map((name) => (name === "note" ? freeText(rule.note) : rule[name])),
    ]);
  if (otherwise !== undefined)
    rows.push([defaultId, ...inputs.map(() => undefined), ...otherwise.map(cellOf)]);
  return { rows, heading };
}

function cellOf(cell: InputCell | OutputCell): SheetCell {
  if (cell === null) return "null";
  return typeof cell === "string" ? freeText(cell || undefined) : cell;
}

/** Text that a spreadsheet would take for a formula gets a blank, which is trimmed when it is read. */
function freeText(text: string | undefined): string | undefined {
  return text !== undefined && /^(?:[=+@]|-.)/s.test(text) ? ` ${text}` : text;
}

/** CSV (RFC 4180) in UTF-8, with a byte order mark, which Excel needs. */
export function writeCsv(document: TableDocument, delimiter: "," | ";" | "\t" = ","): Uint8Array {
  const { rows, heading } = layOut(document, "out: ");
  const width = rows[heading]?.length ?? 0;
  const lines = rows.map((row, index) => {
    const cells = index < heading ? row : Array.from({ length: width }, (_, column) => row[column]);
    return cells.map((cell) => field(cell, delimiter)).join(delimiter);
  });
  return new TextEncoder().encode(`\u{feff}${lines.join("\r\n")}\r\n`);
}

function field(cell: SheetCell, delimiter: string): string {
  if (cell === undefined) return "";
  const text = String(cell);
  const isPlain = text === text.trim() && !/["\r\n]/.test(text) && !text.includes(delimiter);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
