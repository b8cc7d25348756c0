import { FileError, type FileSheet } from "./cells.js";
import { isTrue, mostCells, SheetReader, unescaped } from "./xlsx-sheet.js";
import { attributeOf, readXml } from "./xml.js";
import { ZipReader } from "./zip.js";

/**
 * Reads a workbook, as Excel, LibreOffice and Google Sheets save it.
 *
 * @throws FileError for what is none, and for one of an unreasonable size
 */
export function readXlsx(bytes: Uint8Array): readonly FileSheet[] {
  const zip = new ZipReader(bytes);
  if (zip.has("mimetype") && zip.has("content.xml"))
    throw new FileError("is an OpenDocument file; save it as Excel workbook (.xlsx)");
  const main = [...relationsOf(zip, "_rels/.rels")].find(([, { type }]) =>
    type.endsWith("/officeDocument"),
  )?.[1];
  const workbookPath = main?.target ?? "xl/workbook.xml";
  const workbook = zip.read(workbookPath);
  if (workbook === undefined) throw new FileError("is not an Excel workbook (.xlsx)");
  const { sheets, is1904 } = readWorkbook(workbook);
  const relations = relationsOf(zip, relationsPath(workbookPath));
  const partOf = (kind: string): Uint8Array | undefined => {
    const relation = [...relations.values()].find(({ type }) => type.endsWith(`/${kind}`));
    return relation === undefined ? undefined : zip.read(relation.target);
  };
  const texts = readSharedStrings(partOf("sharedStrings"));
  const dateStyles = readDateStyles(partOf("styles"));
  let cellsLeft = mostCells;
  return sheets.flatMap(({ name, relation, isHidden }) => {
    const found = relations.get(relation);
    if (found === undefined || !found.type.endsWith("/worksheet")) return [];
    const part = zip.read(found.target);
    if (part === undefined) throw new FileError(`lacks the sheet "${name}"`);
    const reader = new SheetReader({ texts, dateStyles, is1904 }, cellsLeft);
    readXml(part, reader);
    cellsLeft = reader.cellsLeft;
    return [{ ...reader.sheet, name, isHidden }];
  });
}

interface Relation {
  readonly type: string;
  readonly target: string;
}

function relationsPath(path: string): string {
  const slash = path.lastIndexOf("/") + 1;
  return `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`;
}

function relationsOf(zip: ZipReader, path: string): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  const bytes = zip.read(path);
  if (bytes === undefined) return relations;
  // Targets are relative to the folder of the part that has the relations.
  const folder = path.replace(/_rels\/[^/]*$/, "");
  readXml(bytes, {
    open: (name, { Id: id = "", Type: type = "", Target: target = "" }) => {
      if (name !== "Relationship") return;
      relations.set(id, { type, target: target.startsWith("/") ? target.slice(1) : folder + target });
    },
  });
  return relations;
}

interface Workbook {
  readonly sheets: readonly {
    readonly name: string;
    readonly relation: string;
    readonly isHidden: boolean;
  }[];
  readonly is1904: boolean;
}

function readWorkbook(bytes: Uint8Array): Workbook {
  const sheets: { name: string; relation: string; isHidden: boolean }[] = [];
  let is1904 = false;
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === "workbookPr") is1904 = isTrue(attributes["date1904"]);
      if (name !== "sheet") return;
      const isHidden = (attributes["state"] ?? "visible") !== "visible";
      sheets.push({
        name: attributes["name"] ?? "",
        relation: attributeOf(attributes, "id") ?? "",
        isHidden,
      });
    },
  });
  return { sheets, is1904 };
}

function readSharedStrings(bytes: Uint8Array | undefined): readonly string[] {
  const texts: string[] = [];
  if (bytes === undefined) return texts;
  let text = "";
  let isText = false;
  let phonetic = 0;
  readXml(bytes, {
    open: (name) => {
      if (name === "si") text = "";
      if (name === "rPh") phonetic += 1;
      isText = name === "t" && phonetic === 0;
    },
    text: (more) => {
      if (isText) text += more;
    },
    close: (name) => {
      if (name === "t") isText = false;
      if (name === "rPh") phonetic -= 1;
      if (name === "si") texts.push(unescaped(text));
    },
  });
  return texts;
}

/** Built-in formats of dates and times. */
const dateFormats = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);

/** The styles of cells that show a number as a date or a time, by their place in the list. */
function readDateStyles(bytes: Uint8Array | undefined): ReadonlySet<number> {
  const styles = new Set<number>();
  if (bytes === undefined) return styles;
  const formats = new Set(dateFormats);
  let isCellFormat = false;
  let count = 0;
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === "numFmt" && isDateFormat(attributes["formatCode"] ?? ""))
        formats.add(Number(attributes["numFmtId"]));
      if (name === "cellXfs") isCellFormat = true;
      if (name !== "xf" || !isCellFormat) return;
      if (formats.has(Number(attributes["numFmtId"]))) styles.add(count);
      count += 1;
    },
    close: (name) => {
      if (name === "cellXfs") isCellFormat = false;
    },
  });
  return styles;
}

/** Whether a format has a day, month, year, hour or second outside of texts, colours and escapes. */
function isDateFormat(code: string): boolean {
  const [first = ""] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  return /[dmyhs]/i.test(first.replaceAll(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "").replaceAll(/general/gi, ""));
}
