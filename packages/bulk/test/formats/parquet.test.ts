import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkVersion } from "../../src/formats/duckdb.js";
import { parquetFormat } from "../../src/formats/parquet.js";
import { duckdb, sqlText } from "./duckdb.js";
import { readParts, temporaryFolder } from "./read-file.js";

/** A Parquet file that DuckDB writes. The name looks like a pattern. */
async function parquet(select: string, options = ""): Promise<string> {
  const path = join(temporaryFolder(), "in [1]*.parquet");
  await duckdb(`COPY (${select}) TO ${sqlText(path)} (FORMAT parquet${options})`);
  return path;
}

describe("rows of a Parquet file", () => {
  it("arrive as the JSON that the schema wants", async () => {
    const schema = z.object({
      small: z.int(),
      big: z.int(),
      huge: z.int(),
      key: z.string(),
      price: z.number(),
      exact: z.string(),
      large: z.number(),
      wrong: z.number(),
      day: z.string(),
      time: z.string(),
      local: z.string(),
      instant: z.string(),
      list: z.array(z.object({ a: z.int(), day: z.string() })),
      tags: z.record(z.string(), z.number()),
      bytes: z.string(),
      id: z.string(),
      flag: z.boolean(),
      absent: z.string().optional(),
      gone: z.int().nullable(),
      nested: z.object({ a: z.int() }),
      anything: z.unknown(),
    });
    const path =
      await parquet(`SELECT 5::INTEGER AS small, 9007199254740992::BIGINT AS big, 9007199254740993::BIGINT AS huge,
      42::BIGINT AS key, 12.50::DECIMAL(18, 2) AS price, 12.50::DECIMAL(18, 2) AS exact, 12345678901234567890::DOUBLE AS large, 'NaN'::DOUBLE AS wrong,
      DATE '2026-03-01' AS day, TIME '12:30:00' AS time, TIMESTAMP '2026-03-01 12:30:00.25' AS local,
      TIMESTAMPTZ '2026-03-01 12:30:00+02' AS instant,
      [{a: 1::BIGINT, day: DATE '2026-03-01'}, NULL] AS list, MAP {'x': 1.5, 'y': 2} AS tags, 'abc'::BLOB AS bytes,
      '6f1f0e5e-2f6c-4f0e-8f55-0c5b5b1f9d11'::UUID AS id, true AS flag, NULL::VARCHAR AS absent, NULL::INTEGER AS gone,
      7 AS "nested.a", 8::BIGINT AS anything`);
    const { lines } = await readParts(parquetFormat, path, { schema });
    expect(lines).toEqual([
      {
        line: 1,
        input: {
          small: 5,
          big: 9007199254740992,
          huge: "9007199254740993",
          key: "42",
          price: 12.5,
          exact: "12.50",
          large: Number("12345678901234567890"),
          wrong: "NaN",
          day: "2026-03-01",
          time: "12:30:00",
          local: "2026-03-01T12:30:00.25",
          instant: "2026-03-01T10:30:00Z",
          list: [{ a: 1, day: "2026-03-01" }, null],
          tags: { x: 1.5, y: 2 },
          bytes: "YWJj",
          id: "6f1f0e5e-2f6c-4f0e-8f55-0c5b5b1f9d11",
          flag: true,
          gone: null,
          nested: { a: 7 },
          anything: 8,
        },
      },
    ]);
  });

  it("are read in order by ranges, whatever the row groups are", async () => {
    const path = await parquet(
      "SELECT (i * 7919) % 30011 AS n, 'row ' || i AS name FROM range(30000) t(i)",
      ", ROW_GROUP_SIZE 4096",
    );
    const { parts, lines } = await readParts(parquetFormat, path, { partBytes: 20_000 });
    expect(parts.length).toBeGreaterThan(5);
    expect(lines).toEqual(
      Array.from({ length: 30_000 }, (_, i) => ({
        line: i + 1,
        input: { n: (i * 7919) % 30011, name: `row ${i}` },
      })),
    );
  });

  it("are cut where a row group ends, and a group that is too large into equal parts", async () => {
    const sizesOf = async (rows: number, group: number, partRows: number) => {
      const path = await parquet(
        `SELECT i AS n FROM range(${rows}) t(i)`,
        `, COMPRESSION uncompressed, ROW_GROUP_SIZE ${group}`,
      );
      const partBytes = Math.ceil((statSync(path).size / rows) * partRows);
      return (await readParts(parquetFormat, path, { partBytes })).parts.map(({ records }) => records);
    };
    expect(await sizesOf(10_240, 2048, 3000)).toEqual([2048, 2048, 2048, 2048, 2048]);
    expect(await sizesOf(10_240, 2048, 5000)).toEqual([4096, 4096, 2048]);
    expect(await sizesOf(10_000, 4096, 3000)).toEqual([2048, 2048, 2048, 2048, 1808]);
    expect(await sizesOf(300_000, 300_000, 200_000)).toEqual([100_000, 100_000, 100_000]);
  });

  it("are none where there are none", async () => {
    expect(await readParts(parquetFormat, await parquet("SELECT 1 AS n WHERE false"))).toEqual({
      parts: [],
      lines: [],
    });
  });

  it("are refused where the file is not Parquet, or a column is both a value and an object", async () => {
    const path = join(temporaryFolder(), "in.parquet");
    writeFileSync(path, "a,b\n1,2\n");
    await expect(readParts(parquetFormat, path)).rejects.toThrow(/input: cannot be read as Parquet: /);
    const twice = await parquet('SELECT 1 AS a, 2 AS "a.b"');
    await expect(readParts(parquetFormat, twice)).rejects.toThrow(/column "a.b" occurs twice, or is both/);
  });
});

describe("the version of DuckDB", () => {
  it.each(["v1.3.0", "v1.5.6", "1.10.0", "v2.0.0"])("%s is new enough", (version) => {
    expect(() => checkVersion(version)).not.toThrow();
  });

  it.each(["v1.2.2", "v0.10.3", "unknown"])("%s is not", (version) => {
    const message = `parquet needs DuckDB 1.3 or newer, and ${version} is installed: npm install @duckdb/node-api`;
    expect(() => checkVersion(version)).toThrow(message);
  });
});
