import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { areSuspicious, inputFromColumns, type ReadRow } from "../input-columns.js";
import type { InputSink, PartRange, PartReader } from "../input-format.js";
import { unreadable } from "../unreadable.js";
import type { Wanted } from "../wanted.js";
import { Database, type DuckDBPackage, fileLiteral, loadDuckDB } from "./duckdb.js";
import { valueFromDuckDB } from "./value-from-duckdb.js";

/** The columns of a chunk, and the row that is read. Chunks come in columns: a list for each row would be garbage at once. */
interface Cursor {
  columns: readonly (readonly DuckDBValue[])[];
  row: number;
}

/** Reads ranges of rows. DuckDB leaves out row groups that are not in the range, and its memory is that of one. */
export class ParquetReader implements PartReader {
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

  /** Whether values of these types may have keys. */
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
