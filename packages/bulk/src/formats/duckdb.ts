import { resolve } from "node:path";
import { DecernError } from "@decern/core";
import type * as DuckDB from "@duckdb/node-api";
import type { DuckDBValue } from "@duckdb/node-api";
import { isExactNumber, type Wanted } from "./wanted.js";

/** Only those who read Parquet install the package. */
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

export class Database {
  readonly #instance: DuckDB.DuckDBInstance;
  readonly connection: DuckDB.DuckDBConnection;

  private constructor(instance: DuckDB.DuckDBInstance, connection: DuckDB.DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  static async open({ DuckDBInstance }: DuckDBPackage): Promise<Database> {
    const instance = await DuckDBInstance.create(":memory:", {
      // Own threads would hold own row groups, and the job has enough threads.
      threads: "1",
      // Returns the memory of a row group to the system before the next one.
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

/** A file name in SQL: always local, and never a pattern. */
export function fileLiteral(path: string): string {
  const literal = resolve(path).replaceAll(/[*?[]/g, "[$&]");
  return `'${literal.replaceAll("'", "''")}'`;
}

type ValueFromDuckDB = (value: DuckDBValue) => unknown;

/**
 * Chooses how values are read at a place of the input.
 *
 * - Numbers: as a number where the schema takes one and JavaScript can hold it, else as text where it takes text. Whole numbers beyond
 *   2^53 that would be rounded, and `NaN`, are text always
 * - Dates and times: text of ISO 8601, `2026-03-01`, `12:30:00`; timestamps `2026-03-01T12:30:00.25`, with a `Z` where they are an
 *   instant
 * - Bytes: text in Base64
 * - `NULL`: absence, or `null` where the schema insists on a value; within a list, `null`
 */
export function valueFromDuckDB(duckdb: DuckDBPackage, wanted: Wanted): ValueFromDuckDB {
  const nothing = wanted.forNothing;
  const takesNumber = wanted.takes("number") || !wanted.takes("string") || !wanted.isKnown;
  const wholeFrom = (value: bigint): number | string => {
    const number = Number(value);
    return takesNumber && Number.isFinite(number) && BigInt(number) === value ? number : String(value);
  };
  const decimalFrom = (text: string): number | string =>
    takesNumber && isExactNumber(text) ? Number(text) : text;
  const members = new Map<string, ValueFromDuckDB>();
  const memberFrom = (name: string, value: DuckDBValue): unknown => {
    let from = members.get(name);
    if (from === undefined) {
      from = valueFromDuckDB(duckdb, wanted.at(name));
      members.set(name, from);
    }
    return from(value);
  };
  let itemFrom: ValueFromDuckDB | undefined;
  const listFrom = (items: readonly DuckDBValue[]): readonly unknown[] => {
    itemFrom ??= valueFromDuckDB(duckdb, wanted.items);
    const from = itemFrom;
    return items.map((item) => from(item) ?? null);
  };
  // A member called `__proto__` becomes an own property, as with JSON.parse.
  const objectFrom = (entries: readonly (readonly [string, DuckDBValue])[]): object =>
    Object.fromEntries(
      entries.flatMap(([name, value]) => {
        const member = memberFrom(name, value);
        return member === undefined ? [] : [[name, member]];
      }),
    );
  return (value) => {
    if (value === null) return nothing;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return takesNumber && Number.isFinite(value) ? value : String(value);
    if (typeof value === "bigint") return wholeFrom(value);
    if (value instanceof duckdb.DuckDBDecimalValue) return decimalFrom(value.toString());
    if (value instanceof duckdb.DuckDBTimestampTZValue) {
      return `${isoText(new duckdb.DuckDBTimestampValue(value.micros))}Z`;
    }
    if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
      return listFrom(value.items);
    }
    if (value instanceof duckdb.DuckDBStructValue) return objectFrom(Object.entries(value.entries));
    if (value instanceof duckdb.DuckDBMapValue) {
      return objectFrom(value.entries.map((entry) => [String(entry.key), entry.value] as const));
    }
    if (value instanceof duckdb.DuckDBUnionValue) return valueFromDuckDB(duckdb, wanted)(value.value);
    if (value instanceof duckdb.DuckDBBlobValue) return Buffer.from(value.bytes).toString("base64");
    return isoText(value);
  };
}

/** DuckDB writes a space between date and time. */
function isoText(value: object): string {
  return String(value).replace(/^(\d{4,}-\d{2}-\d{2}) /, "$1T");
}
