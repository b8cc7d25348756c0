import type { FailedAttempt } from "../attempts/attempts.js";
import { type DeadLetter, mostTries, reasonUnknown } from "../dead-letter.js";
import { deadLetterOf } from "../dead-letter-row.js";
import type { Names } from "../names.js";
import type { PostgresClient, PostgresPool } from "../pool.js";

/** Counts a try of each input that is still there; at the last one it becomes a dead letter. */
export async function blameInputs(
  client: PostgresClient,
  { inbox, inboxDead }: Names,
  name: string,
  { ids, reason }: FailedAttempt,
): Promise<void> {
  const list = ids?.split(",") ?? [];
  // The bounds keep a planner without statistics from reading all that waits.
  const near = "inbox = $1 and given.id between $4::bigint and $5::bigint";
  await client.query(
    `with free as materialized (
      select given.id, tries + 1 as tries from ${inbox} as given
      where ${near} and given.id = any(string_to_array($2, ',')::bigint[]) order by given.id for update
    ), dead as (
      delete from ${inbox} as given using free
      where ${near} and given.id = free.id and free.tries >= ${mostTries}
      returning given.id, given.reference, given.input, given.added_at
    ), buried as (
      insert into ${inboxDead} (inbox, id, reference, input, added_at, tries, reason)
        select $1, id, reference, input, added_at, ${mostTries}, $3 from dead
    )
    update ${inbox} as given set tries = free.tries from free
      where ${near} and given.id = free.id and free.tries < ${mostTries}`,
    [name, ids, reason ?? reasonUnknown, list[0], list.at(-1)],
  );
}

export async function inboxDeadLetters(
  pool: PostgresPool,
  names: Names,
  name: string,
  limit: number,
): Promise<readonly DeadLetter[]> {
  const { rows } = await pool.query(
    `select id::text as position, input, tries::text as tries, reason,
        (extract(epoch from died_at) * 1000)::bigint::text as died_ms
      from ${names.inboxDead} where inbox = $1 order by id limit $2`,
    [name, limit],
  );
  return rows.map(deadLetterOf);
}

/** @returns how many are back in the inbox */
export async function retryInputs(
  pool: PostgresPool,
  { inbox, inboxDead }: Names,
  name: string,
  positions: readonly string[] | undefined,
): Promise<number> {
  const { rowCount } = await pool.query(
    `with back as (
      delete from ${inboxDead} where inbox = $1 and ($2::text[] is null or id::text = any($2::text[]))
      returning id, reference, input, added_at
    )
    insert into ${inbox} (inbox, id, reference, input, added_at) overriding system value
      select $1, id, reference, input, added_at from back`,
    [name, positions === undefined ? null : [...positions]],
  );
  return rowCount ?? 0;
}
