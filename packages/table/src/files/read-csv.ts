import { CsvError, parse } from "csv-parse/sync";
import { FileError, type FileRow, type FileSheet } from "./cells.js";

/** The heading line, which begins with `rule`, tells the delimiter. */
const headingPattern = /^"?rule"?[ ]*([,;\t])/im;

/** As many records as there are lines, each with as many fields as it has. */
const options = { relax_column_count: true, skip_empty_lines: false } as const;

/**
 * Reads CSV (RFC 4180) whose fields are separated by commas, semicolons or tabs.
 *
 * @throws FileError for bytes that aren't UTF-8, and for text that has no heading line
 */
export function readCsv(bytes: Uint8Array): FileSheet {
  const text = decoded(bytes);
  const heading = headingPattern.exec(text);
  const delimiter = heading?.[1];
  if (heading === null || delimiter === undefined)
    throw new FileError('has no heading line, one that begins with "rule" and a comma, a semicolon or a tab');
  let records: string[][];
  try {
    // In two parts, because the parser makes an error, with its stack, of each record that is longer than the first.
    records = [text.slice(0, heading.index), text.slice(heading.index)].flatMap((part) =>
      part === "" ? [] : parse(part, { ...options, delimiter }),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileError(`is not CSV: ${error.message}`, { cause: error });
  }
  const rows = records.map((record, index): FileRow => {
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
