import type { Names } from "../names.js";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { numberOf } from "../row.js";
import { inTransaction } from "../with-client.js";
import { lockLayout } from "./lock-layout.js";

/** A month in UTC, and the table with the records that were written in it. */
export interface Month {
  readonly table: string;
  readonly start: Date;
  /** First instant of the next one. */
  readonly end: Date;
}

const prefix = "decern_records_";

/** The month of an instant, or one that lies some months later. */
export function monthOf(instant: Date, later = 0): Month {
  const month = (offset: number): Date =>
    new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + offset, 1));
  const start = month(later);
  return {
    table: `${prefix}${start.toISOString().slice(0, 7).replace("-", "_")}`,
    start,
    end: month(later + 1),
  };
}

/** The month that a table is named after; `undefined` for a table that is not ours. */
export function monthOfTable(table: string): Month | undefined {
  const [, year, month] = /^decern_records_(\d{4})_(0[1-9]|1[0-2])$/.exec(table) ?? [];
  return year === undefined ? undefined : monthOf(new Date(Date.UTC(Number(year), Number(month) - 1)));
}

/** The database's clock: it decides in which month a record is written, and when it is too old. */
export async function databaseTime(client: Pick<PostgresClient, "query">): Promise<Date> {
  const { rows } = await client.query("select (extract(epoch from now()) * 1000)::text as ms");
  return new Date(numberOf(rows[0], "ms"));
}

/**
 * Creates the tables of this month and of those that follow it, where they are missing.
 *
 * @returns the instant up to which records can be written
 */
export async function ensureMonths(pool: PostgresPool, names: Names, ahead: number): Promise<Date> {
  const now = await databaseTime(pool);
  const months = Array.from({ length: ahead + 1 }, (_, later) => monthOf(now, later));
  if ((await missingMonths(pool, names, months)).length > 0) {
    await inTransaction(pool, async (client) => {
      await lockLayout(client, names);
      // Another process may have created them while we waited.
      for (const month of await missingMonths(client, names, months)) await createMonth(client, names, month);
    });
  }
  return monthOf(now, ahead).end;
}

async function missingMonths(
  client: Pick<PostgresClient, "query">,
  names: Names,
  months: readonly Month[],
): Promise<readonly Month[]> {
  const present = new Set(await attachedTables(client, names));
  return months.filter(({ table }) => !present.has(table));
}

/** Tables of months that are part of `decern_records`. */
async function attachedTables(
  client: Pick<PostgresClient, "query">,
  names: Names,
): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select part.relname as "table" from pg_inherits
      join pg_class part on part.oid = inhrelid
      where inhparent = to_regclass($1) order by part.relname`,
    [names.records],
  );
  return rows.map((row) => String(Reflect.get(row, "table")));
}

/**
 * Attaching a table locks out neither readers nor writers. `create table … partition of` would wait for every open search, and
 * make all others wait behind it.
 */
async function createMonth(client: PostgresClient, names: Names, month: Month): Promise<void> {
  const table = names.month(month.table);
  await client.query(
    `create table ${table} (like ${names.records} including defaults including constraints)`,
  );
  await client.query(
    `alter table ${names.records} attach partition ${table}
      for values from ('${month.start.toISOString()}') to ('${month.end.toISOString()}')`,
  );
}
