import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { csvFormat } from "../../src/formats/csv.js";
import { cellsOf, RecordScanner } from "../../src/formats/csv-records.js";
import { duckdb, sqlText } from "./duckdb.js";
import { readParts, temporaryFolder } from "./read-file.js";

const letters = fc.constantFrom("a", "é", "🦆", '"', ",", "\n", "\r\n", " ", "'", "\\", "0", "\t", "\u2028");
const text = fc.string({ unit: letters, maxLength: 8 });
const cell = fc.record({ text, isQuoted: fc.boolean() });
const columns = 3;
const file = fc.record({
  rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 30 }),
  newline: fc.constantFrom("\n", "\r\n"),
  hasMark: fc.boolean(),
  endsWithNewline: fc.boolean(),
});
type CsvFile = typeof file extends fc.Arbitrary<infer Value> ? Value : never;

/** A cell as RFC 4180 writes it: quoted where it must be, and where it may be. */
function written(cell: { readonly text: string; readonly isQuoted: boolean }): string {
  return cell.isQuoted || /["\r\n,]/.test(cell.text) ? `"${cell.text.replaceAll('"', '""')}"` : cell.text;
}

/** The first cell of a row is never empty, so that no row is a blank line. */
function textOf({ rows, newline, hasMark, endsWithNewline }: CsvFile): string {
  const lines = rows.map((row, index) => [`r${index}`, ...row.slice(1).map(written)].join(","));
  const body = ["c0,c1,c2", ...lines].join(newline);
  return `${hasMark ? "\u{feff}" : ""}${body}${endsWithNewline ? newline : ""}`;
}

it("files are read as DuckDB reads them, however they are cut", async () => {
  const path = join(temporaryFolder(), "in.csv");
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.integer({ min: 4, max: 60 }),
      fc.integer({ min: 1, max: 200 }),
      async (given, blockBytes, partBytes) => {
        writeFileSync(path, textOf(given));
        const { lines } = await readParts(csvFormat, path, { blockBytes, partBytes });
        const options = `header = true, auto_detect = false, delim = ',', quote = '"', escape = '"', columns = {c0: 'VARCHAR', c1: 'VARCHAR', c2: 'VARCHAR'}, allow_quoted_nulls = false, null_padding = false`;
        const rows = await duckdb(`SELECT * FROM read_csv(${sqlText(path)}, ${options})`);
        const ours = lines.map(({ input }) =>
          ["c0", "c1", "c2"].map((name) => Reflect.get(Object(input), name) ?? null),
        );
        expect(ours).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});

it("cells are those that csv-parse finds, quotes out of place included", () => {
  const row = fc.string({ unit: fc.constantFrom("a", '"', '""', ",", " "), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(row, (line) => {
      let theirs: readonly string[] | "malformed";
      try {
        const [record = []]: string[][] = parse(line, { relax_quotes: false, relax_column_count: true });
        theirs = record;
      } catch {
        theirs = "malformed";
      }
      let ours: readonly string[] | "malformed";
      try {
        ours = cellsOf(line).map((each) => each ?? "");
      } catch {
        ours = "malformed";
      }
      // It refuses a quote inside a cell that has none around it, which says only one thing.
      if (theirs === "malformed") expect(ours === "malformed" || /[^,"]"/.test(line)).toBe(true);
      else expect(ours).toEqual(theirs);
    }),
    { numRuns: 2000 },
  );
});

it("records end in the same places, whatever pieces the scanner is given", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: letters, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (all, sizes) => {
        const bytes = Buffer.from(all);
        const endsOf = (pieces: readonly number[]) => {
          const scanner = new RecordScanner();
          const ends: unknown[] = [];
          for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
            const size = pieces[piece % pieces.length] ?? 1;
            const start = at;
            scanner.scan(bytes.subarray(at, at + size), (record) =>
              ends.push({ ...record, end: start + record.end }),
            );
            at += size;
          }
          return [...ends, scanner.end()];
        };
        expect(endsOf(sizes)).toEqual(endsOf([1000]));
      },
    ),
    { numRuns: 2000 },
  );
});
