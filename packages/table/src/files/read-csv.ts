import { columnLetters, FileError, type FileRow, type FileSheet } from "./cells.js";

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
  while (at < text.length || record.length > 0) {
    if (text[at] === '"') {
      const end = closingOf(text, at, records.length + 1);
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
      throw new FileError(
        `is not CSV: row ${records.length + 1}, column ${columnLetters(record.length - 1)} has a quotation mark ` +
          "within a field; put the field in quotation marks, and double those in it",
      );
    records.push(record);
    record = [];
  }
  return records;
}

/** Where the quotation mark is that ends a field. Two of them stand for one in the field. */
function closingOf(text: string, start: number, row: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  if (at < 0)
    throw new FileError(`is not CSV: in row ${row}, a quotation mark begins a field, and none ends it`);
  return at;
}
