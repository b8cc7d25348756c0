import { statSync } from "node:fs";
import type { InputScanner, PartRange, ScannedInput, ScanOptions } from "../input-format.js";
import { unreadable } from "../unreadable.js";
import { Database, fileLiteral, loadDuckDB } from "./duckdb.js";

/** Most rows of a part: what is compressed well would make parts that take minutes. */
const maxRows = 100_000;

/** Cuts a Parquet file into ranges of rows. */
export class ParquetScanner implements InputScanner {
  readonly #options: ScanOptions;

  constructor(options: ScanOptions) {
    this.#options = options;
  }

  /** Its index is at its end, and is read there. */
  push(): void {}

  async end(): Promise<ScannedInput> {
    const { path, partBytes } = this.#options;
    const rows = await countRows(path);
    const rowBytes = statSync(path).size / Math.max(rows, 1);
    const size = Math.min(Math.max(Math.floor(partBytes / rowBytes), 1), maxRows);
    const parts: PartRange[] = [];
    for (let start = 0; start < rows; start += size) {
      const end = Math.min(start + size, rows);
      parts.push({ start, end, firstLine: start + 1, records: end - start });
    }
    return { parts };
  }
}

async function countRows(path: string): Promise<number> {
  const database = await Database.open(await loadDuckDB());
  try {
    const reader = await database.connection.runAndReadAll(
      `SELECT num_rows FROM parquet_file_metadata(${fileLiteral(path)})`,
    );
    return Number(reader.getRows()[0]?.[0]);
  } catch (thrown) {
    const reason = thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : String(thrown);
    throw unreadable(`cannot be read as Parquet: ${reason}`);
  } finally {
    database.close();
  }
}
