import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FileError } from "../../src/files/cells.js";
import { readCsv } from "../../src/files/read-file.js";

/** What csv-parse reads; `undefined` for what it refuses. */
function judged(text: string, delimiter: string): readonly (readonly string[])[] | undefined {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, skip_empty_lines: false });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

function read(text: string): readonly (readonly unknown[])[] | undefined {
  try {
    return readCsv(new TextEncoder().encode(text)).rows.map(({ cells }) => cells);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

it("reads what csv-parse reads, and refuses what it refuses", () => {
  const piece = fc.oneof(
    fc.constantFrom('"', '""', '"a"', ",", ";", "\t", "end", " ", "a", "ü€"),
    fc.string({ unit: "grapheme", maxLength: 3 }).filter((text) => !/[\r\n]/.test(text)),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.boolean(),
      (pieces, delimiter, end, hasMark) => {
        const lines = pieces.map((each) => (each === "end" ? end : each)).join("");
        const text = `${hasMark ? "\uFEFF" : ""}table${delimiter}a${end}rule${delimiter}b${end}${lines}`;
        const blank = (record: readonly string[]) => record.length === 1 && record[0]?.trim() === "";
        expect(read(text)).toEqual(judged(text, delimiter)?.map((record) => (blank(record) ? [] : record)));
      },
    ),
    { numRuns: Number(process.env["DECERN_PROP_RUNS"] ?? 2000) },
  );
});
