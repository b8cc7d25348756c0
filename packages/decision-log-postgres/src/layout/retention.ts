import type { Logger } from "@decern/core";
import type { Names } from "../names.js";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { numberOf } from "../row.js";
import { withClient } from "../with-client.js";
import { databaseTime, type Month, monthOfTable } from "./months.js";

const dayMs = 86_400_000;

/**
 * Drops the months that ended more than `keepDays` days ago. One process at a time does it; the others leave it alone. Readers
 * and writers go on meanwhile.
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

/** On a table that is being dropped. One that somebody else detached, to archive it, does not have it. */
const mark = "decern: too old";

/** Tables of months, with those that an interrupted run has detached. */
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
    const month = monthOfTable(String(Reflect.get(row, "table")));
    const state: unknown = Reflect.get(row, "state");
    if (month === undefined) return [];
    return [{ month, state: state === "detached" || state === "detaching" ? state : "attached" }];
  });
}

/** Waits for searches that read the month, and makes nobody wait for itself: hence outside a transaction, in two steps. */
async function detach(client: PostgresClient, names: Names, month: Month, state: State): Promise<void> {
  if (state === "detached") return;
  await client.query(`comment on table ${names.month(month.table)} is '${mark}'`);
  const how = state === "detaching" ? "finalize" : "concurrently";
  await client.query(`alter table ${names.records} detach partition ${names.month(month.table)} ${how}`);
}

/** Drops a month, and notes in its chains that they lack these records. */
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
  // A chain without a record has nothing left to prove.
  await client.query(
    `delete from ${names.chains} where dropped > 0 and dropped = records and written_at < $1::timestamptz`,
    [month.end.toISOString()],
  );
  await client.query(`drop table ${table}`);
  await client.query("commit");
  return numberOf(rows[0], "records");
}
