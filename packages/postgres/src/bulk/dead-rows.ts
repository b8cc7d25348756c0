import type { BulkBacklog } from "@decern/bulk";
import { numberOf, type PostgresClient, type PostgresPool, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import type { FailedAttempt } from "./attempts.js";
import { textSettings } from "./batch-transaction.js";
import { isAboutInputs } from "./errors.js";
import { type DeadLetter, deadLetterOf, mostTries, reasonUnknown } from "./inputs.js";
import type { Job } from "./job.js";

/** Reads the chunks that are not done, and no row of the table. */
export async function jobBacklog(
  pool: PostgresPool,
  { jobs, chunks, jobDead }: Names,
  job: string,
): Promise<BulkBacklog> {
  const { rows } = await pool.query(
    `select coalesce(sum(greatest(items - answered, 0)), 0)::text as items,
        (select count(*) from ${jobDead} where job = $1)::text as dead,
        (select extract(epoch from now() - created_at) from ${jobs} where job = $1)::text as seconds
      from ${chunks} where job = $1 and done_at is null`,
    [job],
  );
  const [row] = rows;
  const items = numberOf(row, "items");
  const oldestSeconds = items === 0 ? 0 : Math.max(0, numberOf(row, "seconds"));
  return { items, dead: numberOf(row, "dead"), oldestSeconds };
}

/**
 * Counts a try of the rows that come next in a chunk, unless they have been evaluated since. The first try puts all rows of its batch
 * under suspicion, the second those of a small one, and from the third on it is one row; at the last it becomes a dead letter.
 */
export async function blameRows(
  client: PostgresClient,
  names: Names,
  job: Job,
  { chunk, afterKey, lastKey, items, reason }: FailedAttempt,
): Promise<void> {
  const { rows } = await client.query(
    `select 1 from ${names.chunks}
      where job = $1 and chunk = $2::bigint and after_key is not distinct from $3 and done_at is null for update`,
    [job.name, chunk, afterKey],
  );
  if (rows.length === 0 || lastKey === null) return;
  const changed = await client.query(
    `update ${names.chunks} set
        suspects = case when tries = 0 and $3::int > 1 then $3::int else suspects end,
        alone = case when $3::int = 1 then greatest(alone, 1) when tries > 0 then $3::int else alone end,
        tries = case when $3::int = 1 then tries + 1 else least(tries + 1, 2) end
      where job = $1 and chunk = $2::bigint returning case when tries >= ${mostTries} then 'yes' end as is_dead`,
    [job.name, chunk, items],
  );
  if (textOf(changed.rows[0], "is_dead") !== null)
    await bury(client, names, job, chunk, lastKey, reason ?? reasonUnknown);
}

/** Writes a dead letter, and continues after it. */
async function bury(
  client: PostgresClient,
  { chunks, jobDead }: Names,
  job: Job,
  chunk: string | null,
  position: string,
  reason: string,
): Promise<void> {
  await client.query(
    `insert into ${jobDead} (job, position, input, tries, reason) values ($1, $2, $3, ${mostTries}, $4)`,
    [job.name, position, await inputOf(client, job, position), reason],
  );
  await client.query(
    `update ${chunks} set after_key = $3, answered = answered + 1,
        suspects = greatest(suspects - 1, 0), alone = greatest(alone - 1, 0),
        tries = case when alone > 1 then 2 when suspects > 1 then 1 else 0 end,
        done_at = case when last_key = $3 then now() end
      where job = $1 and chunk = $2::bigint`,
    [job.name, chunk, position],
  );
}

/** The input of a row as it is now; `null` where the row is gone, or its input is what PostgreSQL refuses. */
async function inputOf(
  client: PostgresClient,
  { table, key, keyType, input }: Job,
  position: string,
): Promise<string | null> {
  await client.query(`${textSettings}; savepoint reading`);
  try {
    const select = `select ${input} as input from ${table} as t where t.${key} = $1::text::${keyType}`;
    const { rows } = await client.query(select, [position]);
    return textOf(rows[0], "input");
  } catch (error) {
    if (!isAboutInputs(error)) throw error;
    await client.query("rollback to savepoint reading");
    return null;
  }
}

export async function jobDeadLetters(
  pool: PostgresPool,
  names: Names,
  job: string,
  limit: number,
): Promise<readonly DeadLetter[]> {
  const { rows } = await pool.query(
    `select position, input, tries::text as tries, reason,
        (extract(epoch from died_at) * 1000)::bigint::text as died_ms
      from ${names.jobDead} where job = $1 order by died_at, position limit $2`,
    [job, limit],
  );
  return rows.map(deadLetterOf);
}

/** Makes a chunk of each. @returns how many */
export async function retryRows(
  pool: PostgresPool,
  { jobs, chunks, jobDead }: Names,
  job: string,
  positions: readonly string[] | undefined,
): Promise<number> {
  const { rowCount } = await pool.query(
    `with locked as (select job from ${jobs} where job = $1 for update),
    back as (
      delete from ${jobDead} using locked
      where ${jobDead}.job = locked.job and ($2::text[] is null or position = any($2::text[])) returning position
    )
    insert into ${chunks} (job, chunk, last_key, is_single, items)
      select $1, (select coalesce(max(chunk), 0) from ${chunks} where job = $1) + row_number() over (), position, true, 1
      from back`,
    [job, positions === undefined ? null : [...positions]],
  );
  return rowCount ?? 0;
}
