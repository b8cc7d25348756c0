import type { BulkBacklog } from "@decern/bulk";
import { DecernError, type Problem } from "@decern/core";
import { numberOf, type PostgresClient, type PostgresPool, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import { isStorable } from "../client/option-kinds.js";
import type { FailedAttempt } from "./attempts.js";
import { type DeadLetter, deadLetterOf, joinTexts, mostTries, reasonUnknown, splitText } from "./inputs.js";

/** Adds inputs in one statement. @returns their ids */
export async function addInputs(
  pool: PostgresPool,
  names: Names,
  inbox: string,
  inputs: readonly unknown[],
  references: readonly string[] | undefined,
): Promise<readonly string[]> {
  const problems: Problem[] = [];
  const texts = inputs.map((input, index) => {
    const text = jsonOf(input);
    if (text === undefined) problems.push({ path: `/inputs/${index}`, message: "has no JSON form" });
    return text ?? "";
  });
  if (references !== undefined && references.length !== inputs.length)
    problems.push({ path: "/references", message: `must be ${inputs.length}, one for each input` });
  for (const [index, reference] of (references ?? []).entries())
    if (!isStorable(reference))
      problems.push({ path: `/references/${index}`, message: "must be text that PostgreSQL can store" });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "add", problems });
  if (inputs.length === 0) return [];
  const input = joinTexts(texts);
  const reference = references === undefined ? { text: null, separator: "\n" } : joinTexts(references);
  const { rows } = await pool.query(
    `insert into ${names.inbox} (inbox, input, reference)
      select $1, given.input, given.reference
      from rows from (${splitText(2, 3)}, ${splitText(4, 5)}) with ordinality as given(input, reference, number)
      where given.number <= $6::bigint order by given.number
      returning id::text as id`,
    [inbox, input.text, input.separator, reference.text, reference.separator, inputs.length],
  );
  return rows.map((row) => textOf(row, "id") ?? "");
}

function jsonOf(input: unknown): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    // It refers to itself, or holds a bigint.
    return undefined;
  }
}

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

/** Most rows that are counted one by one: some ten milliseconds. */
const mostCounted = 100_000;

/** Counting millions every few seconds would cost more than evaluating them; above the limit, the span of ids is the result. */
export async function inboxBacklog(
  pool: PostgresPool,
  { inbox, inboxDead }: Names,
  name: string,
): Promise<BulkBacklog> {
  const { rows } = await pool.query(
    `select counted.n::text as counted, coalesce(last.id - first.id + 1, 0)::text as span,
        coalesce(extract(epoch from now() - first.added_at), 0)::text as seconds,
        (select count(*) from ${inboxDead} where inbox = $1)::text as dead
      from (select count(*) as n from (select 1 from ${inbox} where inbox = $1 limit ${mostCounted + 1}) as few) as counted
      left join (select id, added_at from ${inbox} where inbox = $1 order by id limit 1) as first on true
      left join (select id from ${inbox} where inbox = $1 order by id desc limit 1) as last on true`,
    [name],
  );
  const [row] = rows;
  const counted = numberOf(row, "counted");
  return {
    items: counted > mostCounted ? Math.max(counted, numberOf(row, "span")) : counted,
    dead: numberOf(row, "dead"),
    oldestSeconds: Math.max(0, numberOf(row, "seconds")),
  };
}
