import { statSync } from "node:fs";
import { toJsonSchema } from "@decern/core";
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { Database, type DuckDBPackage, fileLiteral, loadDuckDB, valueFromDuckDB } from "./duckdb.js";
import { areSuspicious, inputFromColumns, type ReadRow } from "./input-columns.js";
import {
  type InputFormat,
  type InputSink,
  type PartRange,
  type PartReader,
  type ScanOptions,
  unreadable,
} from "./input-format.js";
import { Wanted } from "./wanted.js";

/** Chunks come in columns: a list for each row would be garbage immediately. */
interface Cursor {
  columns: readonly (readonly DuckDBValue[])[];
  row: number;
}

/** DuckDB skips row groups outside the range, and holds one in memory. */
class ParquetReader implements PartReader {
  readonly #duckdb: DuckDBPackage;
  readonly #database: Database;
  readonly #file: string;
  readonly #wanted: Wanted;
  #inputOf: ReadRow<Cursor> | undefined;

  private constructor(duckdb: DuckDBPackage, database: Database, path: string, wanted: Wanted) {
    this.#duckdb = duckdb;
    this.#database = database;
    this.#file = fileLiteral(path);
    this.#wanted = wanted;
  }

  static async open(path: string, wanted: Wanted): Promise<ParquetReader> {
    const duckdb = await loadDuckDB();
    return new ParquetReader(duckdb, await Database.open(duckdb), path, wanted);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  async read({ start, end }: PartRange, sink: InputSink): Promise<void> {
    const rows = await this.#database.connection.stream(
      `SELECT * EXCLUDE (file_row_number) FROM read_parquet(${this.#file}, file_row_number = true) WHERE file_row_number >= ${start} AND file_row_number < ${end}`,
    );
    this.#inputOf ??= this.#columns(rows.columnNames());
    const inputOf = this.#inputOf;
    const isSuspicious = areSuspicious(rows.columnNames()) || this.#areNested(rows.columnTypes());
    let line = start + 1;
    for (
      let chunk = await rows.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await rows.fetchChunk()
    ) {
      const cursor: Cursor = { columns: chunk.getColumns(), row: 0 };
      for (; cursor.row < chunk.rowCount; cursor.row += 1) sink.value(line++, inputOf(cursor), isSuspicious);
      await sink.flush();
    }
  }

  #areNested(types: readonly DuckDBType[]): boolean {
    const { LIST, ARRAY, STRUCT, MAP, UNION } = this.#duckdb.DuckDBTypeId;
    const nested: readonly number[] = [LIST, ARRAY, STRUCT, MAP, UNION];
    return types.some(({ typeId }) => nested.includes(typeId));
  }

  #columns(names: readonly string[]): ReadRow<Cursor> {
    try {
      return inputFromColumns<Cursor>(names, this.#wanted, (index, wanted) => {
        const from = valueFromDuckDB(this.#duckdb, wanted);
        return ({ columns, row }) => from(columns[index]?.[row] ?? null);
      });
    } catch (thrown) {
      throw unreadable(
        `has columns that cannot form an input: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      );
    }
  }
}

/** Well-compressed files would otherwise make parts that take minutes. DuckDB's own row groups have this size. */
const maxRows = 122_880;

async function partsOf({ path, partBytes }: ScanOptions): Promise<readonly PartRange[]> {
  const groups = await rowGroupsOf(path);
  const rows = groups.reduce((sum, group) => sum + group, 0);
  const rowBytes = statSync(path).size / Math.max(rows, 1);
  const most = Math.min(Math.max(Math.floor(partBytes / rowBytes), 1), maxRows);
  const parts: PartRange[] = [];
  let start = 0;
  for (const size of partSizes(groups, most)) {
    parts.push({ start, end: start + size, firstLine: start + 1, records: size });
    start += size;
  }
  return parts;
}

/**
 * Sizes of parts, in rows. A part ends with a row group wherever possible, because a group is read from its beginning for each part
 * that has rows of it.
 */
function* partSizes(groups: readonly number[], most: number): Generator<number, void, undefined> {
  let size = 0;
  for (const group of groups) {
    if (size > 0 && size + group > most) {
      yield size;
      size = 0;
    }
    size += group;
    // Only a single group can be too large. It is divided evenly.
    for (let pieces = Math.ceil(size / most); pieces > 1; pieces -= 1) {
      const piece = Math.ceil(size / pieces);
      yield piece;
      size -= piece;
    }
  }
  if (size > 0) yield size;
}

async function rowGroupsOf(path: string): Promise<readonly number[]> {
  const database = await Database.open(await loadDuckDB());
  try {
    const reader = await database.connection.runAndReadAll(
      `SELECT any_value(row_group_num_rows) FROM parquet_metadata(${fileLiteral(path)}) GROUP BY row_group_id ORDER BY row_group_id`,
    );
    return reader.getRows().map(([rows]) => Number(rows));
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : String(thrown);
    throw unreadable(`cannot be read as Parquet: ${reason}`);
  } finally {
    database.close();
  }
}

/** Parquet, read by DuckDB. The line of an input is the number of its row, from 1. */
export const parquetFormat: InputFormat = {
  name: "parquet",
  // Each would need its own database, of some 50 MB.
  lanes: 1,
  // The index is at the end of the file, and is read there.
  scanner: (options) => ({ push: () => {}, end: async () => ({ parts: await partsOf(options) }) }),
  open: ({ path, decision }) => ParquetReader.open(path, Wanted.ofInput(toJsonSchema(decision.inputSchema))),
};
