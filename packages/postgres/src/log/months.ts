import type { Logger } from "@decern/core";
import {
  inTransaction,
  numberOf,
  type PostgresClient,
  type PostgresPool,
  textOf,
  withClient,
} from "../client/client.js";
import { lockLayout, type Names } from "../client/layout.js";

interface Month {
  readonly table: string;
  readonly start: Date;
  readonly end: Date;
}

const prefix = "decern_records_";

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

/** `undefined` for other tables. */
export function monthOfTable(table: string): Month | undefined {
  const [, year, month] = /^decern_records_(\d{4})_(0[1-9]|1[0-2])$/.exec(table) ?? [];
  return year === undefined ? undefined : monthOf(new Date(Date.UTC(Number(year), Number(month) - 1)));
}

/** The database's clock decides in which month a record is written, and when it is too old. */
async function databaseTime(client: Pick<PostgresClient, "query">): Promise<Date> {
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
      // Another process may have created them in the meantime.
      for (const month of await missingMonths(client, names, months)) await createMonth(client, names, month);
    });
  }
  return monthOf(now, ahead).end;
}

/** Months without a table that is part of `decern_records`. */
async function missingMonths(
  client: Pick<PostgresClient, "query">,
  { records }: Names,
  months: readonly Month[],
): Promise<readonly Month[]> {
  const { rows } = await client.query(
    `select part.relname as "table" from pg_inherits join pg_class part on part.oid = inhrelid
      where inhparent = to_regclass($1)`,
    [records],
  );
  const present = new Set(rows.map((row) => textOf(row, "table")));
  return months.filter(({ table }) => !present.has(table));
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

const dayMs = 86_400_000;

/**
 * Drops the months that ended more than `keepDays` days ago. One process at a time does it; the others leave it alone. Readers
 * and writers continue meanwhile.
 */
export async function dropOldMonths(
  pool: PostgresPool,
  names: Names,
  keepDays: number,
  logger: Required<Logger>,
): Promise<void> {
  await withClient(pool, async (client) => {
    const lock = [`decern retention ${names.schemaName}`];
    const taken = await client.query("select 1 where pg_try_advisory_lock(hashtextextended($1, 0))", lock);
    if (taken.rows.length === 0) return;
    const tooOld = (await databaseTime(client)).getTime() - keepDays * dayMs;
    for (const { month, state } of await monthTables(client, names)) {
      if (month.end.getTime() > tooOld) continue;
      await detach(client, names, month, state);
      const records = await drop(client, names, month);
      logger.info({ table: month.table, records }, "Decision log: dropped records past their retention");
    }
    await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", lock);
  });
}

type State = "attached" | "detaching" | "detached";

/** Marks a table that is being dropped. A table that was detached for an archive has no mark. */
const mark = "decern: too old";

/** Includes tables that an interrupted run has detached. */
async function monthTables(
  client: PostgresClient,
  names: Names,
): Promise<readonly { readonly month: Month; readonly state: State }[]> {
  const { rows } = await client.query(
    `select relname as "table",
        case when inhparent is null then 'detached' when inhdetachpending then 'detaching' else 'attached' end as state
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      left join pg_inherits on inhrelid = pg_class.oid
      where nspname = $1 and relkind = 'r' and relname like 'decern\\_records\\_%'
        and (inhparent = to_regclass($2) or inhparent is null and obj_description(pg_class.oid, 'pg_class') = $3)
      order by relname`,
    [names.schemaName, names.records, mark],
  );
  return rows.flatMap((row) => {
    const month = monthOfTable(textOf(row, "table") ?? "");
    const state = textOf(row, "state");
    if (month === undefined) return [];
    return [{ month, state: state === "detached" || state === "detaching" ? state : "attached" }];
  });
}

/** Waits for searches that read the month without blocking others: outside a transaction, in two steps. */
async function detach(client: PostgresClient, names: Names, month: Month, state: State): Promise<void> {
  if (state === "detached") return;
  await client.query(`comment on table ${names.month(month.table)} is '${mark}'`);
  const how = state === "detaching" ? "finalize" : "concurrently";
  await client.query(`alter table ${names.records} detach partition ${names.month(month.table)} ${how}`);
}

/** Drops a month, and notes the missing records in its chains. */
async function drop(client: PostgresClient, names: Names, month: Month): Promise<number> {
  const table = names.month(month.table);
  await client.query("begin");
  const { rows } = await client.query(
    `with gone as (select chain, count(*) as records from ${table} group by chain),
      noted as (
        update ${names.chains} set dropped = dropped + gone.records from gone where id = gone.chain
      )
      select coalesce(sum(records), 0)::text as records from gone`,
  );
  // A chain without records has nothing left to prove.
  await client.query(
    `delete from ${names.chains} where dropped > 0 and dropped = records and written_at < $1::timestamptz`,
    [month.end.toISOString()],
  );
  await client.query(`drop table ${table}`);
  await client.query("commit");
  return numberOf(rows[0], "records");
}
