import type { Place } from "../document/document.js";
import { columnLetters, FileError, type FileRow, type FileSheet } from "./cells.js";
import { readXlsx } from "./read-xlsx.js";
import { isTable } from "./sheet-lines.js";
import { readSheetTable, type SheetTable } from "./sheet-table.js";

/** A table in a file, or one that was parsed from JSON already. */
export type TableSource =
  | {
      /** Of the file, for messages. */
      readonly name: string;
      /** JSON, CSV or XLSX, which their content tells. */
      readonly bytes: Uint8Array;
    }
  | { readonly name: string; readonly document: unknown };

/** Of a file of text. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads the tables of a file. Their cells are not checked.
 *
 * @throws FileError for a file that isn't a table
 */
export function readTables(source: TableSource): readonly SheetTable[] {
  const { name } = source;
  if ("document" in source) return [jsonTable(source.document, name)];
  const { bytes } = source;
  if (bytes.length > mostBytes) throw new FileError(`is larger than ${mostBytes / 1024 / 1024} MB`);
  if (startsWith(bytes, [0x50, 0x4b])) return tablesOf(readXlsx(bytes), name);
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new FileError(
      "is an old or an encrypted Excel file; save it as Excel workbook (.xlsx) without a password",
    );
  if (firstCharacter(bytes) === "{") return [jsonTable(parsed(bytes), name)];
  return tablesOf([readCsv(bytes)], name);
}

function tablesOf(sheets: readonly FileSheet[], name: string): readonly SheetTable[] {
  const tables = sheets.filter(isTable);
  if (tables.length === 0)
    throw new FileError(
      'has no table: no sheet has a line that begins with "table" and one that begins with "rule"',
    );
  return tables.map((sheet) => readSheetTable(sheet, name));
}

function jsonTable(document: unknown, file: string): SheetTable {
  const place: Place = { file };
  return { document, placeOf: () => place, problems: [], dates: [] };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FileError(`is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function firstCharacter(bytes: Uint8Array): string | undefined {
  return /\S/.exec(new TextDecoder().decode(bytes.subarray(0, 1000)))?.[0];
}

/** The heading line, which begins with `rule`, tells the delimiter. */
const headingPattern = /^"?rule"?[ ]*([,;\t])/im;

/**
 * Reads CSV (RFC 4180) whose fields are separated by commas, semicolons or tabs.
 *
 * @throws FileError for bytes that aren't UTF-8, for text that has no heading line, and for quotation marks out of place
 */
export function readCsv(bytes: Uint8Array): FileSheet {
  const text = decoded(bytes);
  const delimiter = headingPattern.exec(text)?.[1];
  if (delimiter === undefined)
    throw new FileError('has no heading line, one that begins with "rule" and a comma, a semicolon or a tab');
  const rows = recordsOf(text, delimiter).map((record, index): FileRow => {
    // A line without any field is one blank field.
    const fields = record.length === 1 && record[0]?.trim() === "" ? [] : record;
    return { number: index + 1, cells: fields };
  });
  return { name: undefined, rows, merged: [], hiddenColumns: new Set(), isDelimited: true };
}

function decoded(bytes: Uint8Array): string {
  try {
    // Without the byte order mark, if there is one.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new FileError('is not UTF-8; save it as "CSV UTF-8"', { cause: error });
  }
}

/** Splits text into records of fields. A record ends with its line, but not within quotation marks. */
function recordsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const plain = new RegExp(`[^"\r\n${delimiter}]*`, "y");
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  const mistake = (what: string, column = record.length) =>
    new FileError(`is not CSV: ${what}`, {
      place: { row: records.length + 1, column: columnLetters(column) },
    });
  while (at < text.length || record.length > 0) {
    if (text[at] === '"') {
      const end = closingOf(text, at);
      if (end < 0) throw mistake("a quotation mark begins the field, and none ends it");
      record.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      plain.lastIndex = at;
      plain.test(text);
      record.push(text.slice(at, plain.lastIndex));
      at = plain.lastIndex;
    }
    const next = text[at];
    at += next === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (next === delimiter) continue;
    if (next !== undefined && next !== "\r" && next !== "\n")
      throw mistake(
        "a quotation mark stands within the field; put the field in quotation marks, and double those in it",
        record.length - 1,
      );
    records.push(record);
    record = [];
  }
  return records;
}

/** Where the quotation mark is that ends a field, or -1. Two of them stand for one in the field. */
function closingOf(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
