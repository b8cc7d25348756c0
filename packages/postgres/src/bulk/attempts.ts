import { inTransaction, numberOf, type PostgresClient, type PostgresPool, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";

/** What a worker has taken. */
export interface Attempt {
  /** Ids of inputs of an inbox, separated by commas. */
  readonly ids?: string | undefined;
  /** A part of a chunk: its rows after one key, up to another. */
  readonly chunk?: string | undefined;
  readonly afterKey?: string | null | undefined;
  readonly lastKey?: string | undefined;
  readonly items: number;
}

/** An attempt whose worker has ended without a word. */
export interface FailedAttempt {
  readonly ids: string | null;
  readonly chunk: string | null;
  readonly afterKey: string | null;
  readonly lastKey: string | null;
  readonly items: number;
  readonly reason: string | null;
}

/**
 * Writes down what a worker is about to evaluate, outside of its transaction: so it survives a worker that dies.
 *
 * @returns whether there are attempts to be counted first: what this worker has may be what another worker just died of
 */
export async function noteAttempt(
  pool: PostgresPool,
  names: Names,
  id: string,
  source: string,
  { ids, chunk, afterKey, lastKey, items }: Attempt,
): Promise<boolean> {
  const { rows } = await pool.query(
    `with noted as (
      insert into ${names.attempts} (id, source, ids, chunk, after_key, last_key, items)
      values ($1, $2, string_to_array($3, ',')::bigint[], $4, $5, $6, $7)
    )
    select ${abandonedAttempts(names, 2)} as abandoned`,
    [id, source, ids ?? null, chunk ?? null, afterKey ?? null, lastKey ?? null, items],
  );
  return textOf(rows[0], "abandoned") !== null;
}

/** @param reason - why the inputs are to blame; without it the attempt does not count */
export async function endAttempt(
  pool: PostgresPool,
  names: Names,
  id: string,
  reason: string | undefined,
): Promise<void> {
  if (reason === undefined) await pool.query(`delete from ${names.attempts} where id = $1`, [id]);
  else await pool.query(`update ${names.attempts} set reason = $2 where id = $1`, [id, reason]);
}

/**
 * SQL for the ids of attempts whose worker has ended, separated by commas; NULL where there are none. An attempt holds the lock of
 * its id as long as its transaction lasts. One that was committed since this statement began may be among them.
 */
export function abandonedAttempts(names: Names, parameter: number): string {
  return `(select string_agg(id::text, ',') from ${names.attempts}
    where case when source = $${parameter} then pg_try_advisory_xact_lock(id) else false end)`;
}

/**
 * Counts tries: takes each of these attempts out, and blames its inputs. An attempt that has been committed is not there any more;
 * one from before the database was stopped does not count.
 *
 * @returns whether any counted
 */
export async function countTries(
  pool: PostgresPool,
  names: Names,
  ids: string,
  blame: (client: PostgresClient, attempt: FailedAttempt) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(pool, async (client) => {
    let counted = false;
    const { rows } = await client.query(
      `delete from ${names.attempts} where id = any(string_to_array($1, ',')::bigint[])
        returning array_to_string(ids, ',') as ids, chunk::text as chunk, after_key, last_key, items::text as items, reason,
          case when server_started = pg_postmaster_start_time() then 'yes' end as counts`,
      [ids],
    );
    for (const row of rows) {
      if (textOf(row, "counts") === null) continue;
      counted = true;
      await blame(client, {
        ids: textOf(row, "ids"),
        chunk: textOf(row, "chunk"),
        afterKey: textOf(row, "after_key"),
        lastKey: textOf(row, "last_key"),
        items: numberOf(row, "items"),
        reason: textOf(row, "reason"),
      });
    }
    return counted;
  });
}
