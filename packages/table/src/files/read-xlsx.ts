import { columnIndex, type FileCell, FileError, type FileRow, type FileSheet } from "./cells.js";
import { type Attributes, attributeOf, readXml } from "./xml.js";
import { ZipReader } from "./zip.js";

/** More cells than any table has; their text would fit into the limit of a file. */
const mostCells = 2_000_000;

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

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
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

/** Characters that XML cannot hold are written as `_x000D_`. */
function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
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

interface SheetContext {
  readonly texts: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly is1904: boolean;
}

class SheetReader {
  cellsLeft: number;
  readonly #context: SheetContext;
  readonly #rows: FileRow[] = [];
  readonly #merged: string[] = [];
  readonly #hiddenColumns = new Set<number>();
  #cells: (FileCell | undefined)[] = [];
  #rowNumber = 0;
  #isHidden = false;
  #column = -1;
  #cell: Attributes = {};
  #value: string | undefined;
  #inline: string | undefined;
  #hasFormula = false;
  #collects: "value" | "inline" | undefined;
  #phonetic = 0;

  constructor(context: SheetContext, cellsLeft: number) {
    this.#context = context;
    this.cellsLeft = cellsLeft;
  }

  get sheet(): Omit<FileSheet, "name"> {
    return { rows: this.#rows, merged: this.#merged, hiddenColumns: this.#hiddenColumns, isDelimited: false };
  }

  open(name: string, attributes: Attributes): void {
    if (name === "c") return this.#openCell(attributes);
    if (name === "v") {
      this.#collects = "value";
      this.#value = "";
    } else if (name === "t" && this.#phonetic === 0) {
      this.#collects = "inline";
      this.#inline ??= "";
    } else if (name === "f") this.#hasFormula = true;
    else if (name === "rPh") this.#phonetic += 1;
    else if (name === "row") {
      const number = Number(attributes["r"] ?? this.#rowNumber + 1);
      if (!Number.isSafeInteger(number) || number <= this.#rowNumber)
        throw new FileError("has rows out of order");
      this.#rowNumber = number;
      this.#isHidden = isTrue(attributes["hidden"]);
      this.#cells = [];
      this.#column = -1;
    } else if (name === "mergeCell") this.#merged.push(attributes["ref"] ?? "");
    else if (name === "col" && isTrue(attributes["hidden"])) this.#hide(attributes);
  }

  text(text: string): void {
    if (this.#collects === "value") this.#value += text;
    else if (this.#collects === "inline") this.#inline += text;
  }

  close(name: string): void {
    if (name === "v" || name === "t") this.#collects = undefined;
    else if (name === "rPh") this.#phonetic -= 1;
    else if (name === "c") {
      const cell = this.#read();
      if (cell !== undefined) this.#cells[this.#column] = cell;
    } else if (name === "row" && this.#cells.length > 0)
      this.#rows.push({ number: this.#rowNumber, cells: this.#cells, isHidden: this.#isHidden });
  }

  #openCell(attributes: Attributes): void {
    this.cellsLeft -= 1;
    if (this.cellsLeft < 0) throw new FileError(`has more than ${mostCells} cells`);
    const { r: reference } = attributes;
    const column = reference === undefined ? this.#column + 1 : columnIndex(reference);
    if (column === undefined || column <= this.#column) throw new FileError("has cells out of order");
    this.#column = column;
    this.#cell = attributes;
    this.#value = undefined;
    this.#inline = undefined;
    this.#hasFormula = false;
  }

  #hide({ min, max }: Attributes): void {
    const first = Number(min);
    const last = Math.min(Number(max), 16_384);
    for (let column = first; column <= last; column += 1) this.#hiddenColumns.add(column - 1);
  }

  #read(): FileCell | undefined {
    const { t: type = "n", s: style } = this.#cell;
    if (type === "inlineStr") return textCell(unescaped(this.#inline ?? ""));
    const value = this.#value;
    if (value === undefined || (value === "" && type !== "str")) {
      if (!this.#hasFormula) return undefined;
      return {
        kind: "broken",
        message: "has a formula without a value; open the file in a spreadsheet program and save it",
      };
    }
    switch (type) {
      case "s": {
        const text = this.#context.texts[Number(value)];
        if (text === undefined) throw new FileError("is damaged: it lacks a text that a cell refers to");
        return textCell(text);
      }
      case "str":
        return textCell(unescaped(value));
      case "b":
        return { kind: "value", value: isTrue(value) };
      case "e":
        return { kind: "broken", message: `has the error ${value}` };
      case "d":
        return { kind: "date", text: value.replace(/T00:00(?::00(?:\.0+)?)?$/, "") };
      default: {
        const number = Number(value);
        if (!Number.isFinite(number)) return { kind: "broken", message: `has "${value}" for a number` };
        return this.#context.dateStyles.has(Number(style))
          ? this.#date(number)
          : { kind: "value", value: number };
      }
    }
  }

  #date(serial: number): FileCell {
    // Days since 1970; the calendar from 1900 counts a 29 February that year did not have.
    const days = this.#context.is1904 ? serial - 24_107 : serial - (serial < 60 ? 25_568 : 25_569);
    const date = new Date(Math.round(days * 86_400_000));
    if (Number.isNaN(date.getTime()) || serial < 0)
      return { kind: "broken", message: `has ${serial} for a date` };
    return { kind: "date", text: date.toISOString().replace(/T00:00:00\.000Z$|\.000Z$|Z$/, "") };
  }
}

function textCell(text: string): FileCell | undefined {
  return text.trim() === "" ? undefined : { kind: "value", value: text };
}
