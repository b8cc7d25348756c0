import { statSync } from "node:fs";
import type { InputScanner, PartRange, ScannedInput, ScanOptions } from "../input-format.js";
import { unreadable } from "../unreadable.js";
import { Database, fileLiteral, loadDuckDB } from "./duckdb.js";

/** Most rows of a part: what is compressed well would make parts that take minutes. DuckDB writes row groups of so many. */
const maxRows = 122_880;

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
    return { parts };
  }
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
    // Only a single group can be too large, and is divided evenly.
    for (let pieces = Math.ceil(size / most); pieces > 1; pieces -= 1) {
      const piece = Math.ceil(size / pieces);
      yield piece;
      size -= piece;
    }
  }
  if (size > 0) yield size;
}

/** How many rows each row group has, in order. */
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
