import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { parquetFormat } from "../../src/formats/parquet.js";
import { duckdb, sqlText } from "./duckdb.js";
import { readParts, temporaryFolder } from "./read-file.js";

const real = fc.double({ noNaN: true, noDefaultInfinity: true });
const row = fc.record({
  real: fc.option(fc.oneof(real, fc.maxSafeInteger(), fc.constant(2 ** 70))),
  whole: fc.option(fc.maxSafeInteger()),
  text: fc.option(fc.string({ unit: "grapheme", maxLength: 20 }).filter((text) => !text.includes("\0"))),
  list: fc.option(fc.array(fc.option(real), { maxLength: 3 })),
});

function sqlOf(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? sqlText(value) : `'${value}'::DOUBLE`;
}

const schema = z.looseObject({ real: z.number().optional(), list: z.array(z.number()).optional() });

it("rows are read as DuckDB reads them, however the file is grouped and cut", async () => {
  const path = join(temporaryFolder(), "in.parquet");
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 5000 }),
      async (rows, turns, partBytes) => {
        const values = rows.map(({ real, whole, text, list }, n) => {
          const items = list === null ? "NULL" : `[${list.map(sqlOf).join(", ")}]::DOUBLE[]`;
          return `(${n}, ${sqlOf(real)}::DOUBLE, ${whole ?? "NULL"}::BIGINT, ${sqlOf(text)}::VARCHAR, ${items})`;
        });
        const source = `SELECT * FROM range(${turns}) r(turn), (VALUES ${values.join(", ")}) t(n, real, whole, text, list) ORDER BY turn, n`;
        const theirs = await duckdb(
          `COPY (${source}) TO ${sqlText(path)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`,
          `SELECT to_json(t)::VARCHAR FROM read_parquet(${sqlText(path)}) t`,
        );
        const { lines } = await readParts(parquetFormat, path, { schema, partBytes });
        expect(lines.map(({ input }) => input)).toEqual(
          theirs.map(([text]) => withoutNulls(JSON.parse(String(text)))),
        );
      },
    ),
    { numRuns: 8 },
  );
});

/** A column that is `NULL` is absent. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
