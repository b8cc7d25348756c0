import { resolve } from "node:path";
import { DecernError } from "@decern/core";
import type * as DuckDB from "@duckdb/node-api";

/** The package, which only those who read Parquet install. */
export type DuckDBPackage = typeof DuckDB;

/** @throws DecernError `INVALID_OPTIONS`, which says what to install */
export async function loadDuckDB(): Promise<DuckDBPackage> {
  const duckdb = await import("@duckdb/node-api").catch((cause: unknown) => {
    throw needsDuckDB("parquet needs DuckDB", cause);
  });
  checkVersion(duckdb.version());
  return duckdb;
}

/**
 * Refuses a DuckDB that is too old. A range in package.json can't: all versions on npm are pre-releases, such as `1.5.6-r.1`,
 * which match none.
 *
 * @param version - such as `v1.5.6`
 * @throws DecernError `INVALID_OPTIONS`
 */
export function checkVersion(version: string): void {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 3)) return;
  throw needsDuckDB(`parquet needs DuckDB 1.3 or newer, and ${version} is installed`);
}

function needsDuckDB(what: string, cause?: unknown): DecernError {
  const problems = [{ path: "/format", message: `${what}: npm install @duckdb/node-api` }];
  return new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems, cause });
}

/** A database in memory, for one thread. */
export class Database {
  readonly #instance: DuckDB.DuckDBInstance;
  readonly connection: DuckDB.DuckDBConnection;

  private constructor(instance: DuckDB.DuckDBInstance, connection: DuckDB.DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  static async open({ DuckDBInstance }: DuckDBPackage): Promise<Database> {
    const instance = await DuckDBInstance.create(":memory:", {
      // Threads of its own would hold row groups of their own, and the job has threads enough.
      threads: "1",
      // What one row group took goes back to the system before the next one is read.
      allocator_flush_threshold: "1MB",
      allocator_bulk_deallocation_flush_threshold: "1MB",
    });
    return new Database(instance, await instance.connect());
  }

  close(): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}

/** A file as SQL names it: always a local one, and never a pattern. */
export function fileLiteral(path: string): string {
  const literal = resolve(path).replaceAll(/[*?[]/g, "[$&]");
  return `'${literal.replaceAll("'", "''")}'`;
}
