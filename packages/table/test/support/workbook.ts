import { strToU8, zipSync } from "fflate";

/** A cell as it stands in a sheet: a value, or the attributes and the content of `<c>`. */
export type RawCell =
  | string
  | number
  | boolean
  | undefined
  | { readonly attributes?: string; readonly xml: string };

export interface RawSheet {
  readonly name?: string;
  readonly state?: string;
  readonly rows: readonly (readonly RawCell[])[];
  /** Attributes of `<row>`, by number from 1. */
  readonly rowAttributes?: Readonly<Record<number, string>>;
  readonly before?: string;
  readonly after?: string;
}

export interface RawWorkbook {
  readonly sheets: readonly RawSheet[];
  readonly styles?: string;
  readonly sharedStrings?: string;
  readonly workbookPr?: string;
}

const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

const letters = (index: number) => String.fromCharCode(65 + index);

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function cellXml(cell: RawCell, reference: string): string {
  if (cell === undefined) return "";
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === "string")
    return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
  return `<c r="${reference}" ${cell.attributes ?? ""}>${cell.xml}</c>`;
}

export function sheetXml({ rows, rowAttributes = {}, before = "", after = "" }: RawSheet): string {
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`)).join("");
    return cells === "" ? "" : `<row r="${index + 1}" ${rowAttributes[index + 1] ?? ""}>${cells}</row>`;
  });
  return `<worksheet ${namespaces}>${before}<sheetData>${lines.join("")}</sheetData>${after}</worksheet>`;
}

/** A workbook, written apart from the code that is tested. */
export function workbook({ sheets, styles, sharedStrings, workbookPr = "" }: RawWorkbook): Uint8Array {
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name ?? `Sheet${index + 1}`}" sheetId="${index + 1}" ${state === undefined ? "" : `state="${state}"`} r:id="s${index}"/>`,
  );
  const relations = [
    ...sheets.map(
      (_sheet, index) =>
        `<Relationship Id="s${index}" Type="${kinds}/worksheet" Target="/xl/worksheets/sheet${index}.xml"/>`,
    ),
    `<Relationship Id="styles" Type="${kinds}/styles" Target="styles.xml"/>`,
    `<Relationship Id="texts" Type="${kinds}/sharedStrings" Target="sharedStrings.xml"/>`,
  ];
  return zipSync({
    "_rels/.rels": strToU8(
      `<Relationships><Relationship Id="w" Type="${kinds}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    "xl/workbook.xml": strToU8(
      `<workbook ${namespaces}>${workbookPr}<sheets>${list.join("")}</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(`<Relationships>${relations.join("")}</Relationships>`),
    "xl/styles.xml": strToU8(`<styleSheet ${namespaces}>${styles ?? ""}</styleSheet>`),
    "xl/sharedStrings.xml": strToU8(`<sst ${namespaces}>${sharedStrings ?? ""}</sst>`),
    ...Object.fromEntries(
      sheets.map((sheet, index) => [`xl/worksheets/sheet${index}.xml`, strToU8(sheetXml(sheet))]),
    ),
  });
}
