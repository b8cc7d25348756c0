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
