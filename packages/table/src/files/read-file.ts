import type { Place } from "../document/document.js";
import { FileError, type FileSheet } from "./cells.js";
import { readCsv } from "./read-csv.js";
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
