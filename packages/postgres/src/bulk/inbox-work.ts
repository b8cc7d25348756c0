import type { BulkItem } from "@decern/bulk";
import { DecernError, type Problem } from "@decern/core";
import { numberOf, type PostgresClient, type PostgresPool, textOf } from "../client/client.js";
import type { Names } from "../client/layout.js";
import { isStorable } from "../client/option-kinds.js";
import type { Attempt, BatchTransaction } from "./batch-transaction.js";
import type { LockedBatch, Work } from "./source.js";
import { batchSize, joinTexts, mostTries, reasonUnknown, splitText } from "./statements.js";

/** Counting this many rows takes some ten milliseconds. */
const mostCounted = 100_000;

export function inboxWork(names: Names, name: string, endsWhenEmpty: boolean): Work {
  const { inbox, inboxDead } = names;
  return {
    source: `inbox ${name}`,
    name,
    // In order, or a planner without statistics reads the whole table to find none.
    suspects: `select 1 from ${inbox} where inbox = $1 and tries > 0 order by id limit 1`,
    waiting: endsWhenEmpty ? `select 1 from ${inbox} where inbox = $1 order by id limit 1` : undefined,
    // Counting millions every few seconds would cost more than evaluating them: above the limit, it is the span of their ids.
    backlog: `select (case when counted.n > ${mostCounted} then greatest(counted.n, last.id - first.id + 1) else counted.n end)::text
          as items,
        coalesce(extract(epoch from now() - first.added_at), 0)::text as seconds,
        (select count(*) from ${inboxDead} where inbox = $1)::text as dead
      from (select count(*) as n from (select 1 from ${inbox} where inbox = $1 limit ${mostCounted + 1}) as few) as counted
      left join (select id, added_at from ${inbox} where inbox = $1 order by id limit 1) as first on true
      left join (select id from ${inbox} where inbox = $1 order by id desc limit 1) as last on true`,
    deadLetters: `select id::text as position, input, tries::text as tries, reason,
        (extract(epoch from died_at) * 1000)::bigint::text as died_ms
      from ${inboxDead} where inbox = $1 order by id limit $2`,
    retry: `with back as (
        delete from ${inboxDead} where inbox = $1 and ($2::text[] is null or id::text = any($2::text[]))
        returning id, reference, input, added_at
      )
      insert into ${inbox} (inbox, id, reference, input, added_at) overriding system value
        select $1, id, reference, input, added_at from back returning 1`,
    lock: (transaction, isSuspect, max) => lockInputs(transaction, names, name, isSuspect, max),
    blame: (client, attempt, reason) => blameInputs(client, names, name, attempt, reason),
  };
}

/** @returns the ids */
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
    // It contains itself, or a bigint.
    return undefined;
  }
}

async function lockInputs(
  transaction: BatchTransaction,
  names: Names,
  inbox: string,
  isSuspect: boolean,
  max: number,
): Promise<LockedBatch | undefined> {
  const rows = await lockRows(transaction, names, inbox, isSuspect, max);
  if (rows.length === 0) return undefined;
  const items: readonly BulkItem[] = rows.map((row) => ({
    position: textOf(row, "id") ?? "",
    bytes: Buffer.from(textOf(row, "input") ?? ""),
  }));
  const places = rows.map((row) => textOf(row, "place")).join(" ");
  return {
    items,
    attempt: { ids: items.map(({ position }) => position).join(","), items: items.length },
    store: (results) => {
      const statuses = joinTexts(results.map(({ status }) => status));
      const texts = joinTexts(results.map(({ text }) => text));
      const ids = results.map(({ position }) => position).join(",");
      return {
        text: commitStatement(names),
        values: [inbox, ids, statuses.text, texts.text, texts.separator, transaction.id, places],
      };
    },
  };
}

async function lockRows(
  { client }: BatchTransaction,
  names: Names,
  inbox: string,
  isSuspect: boolean,
  max: number,
): Promise<readonly object[]> {
  const lock = async (condition: string, limit: number) => {
    // `order by id` alone would mean the text column.
    const { rows } = await client.query(
      `select id::text as id, ctid::text as place, input, tries::text as tries from ${names.inbox} as waiting
        where inbox = $1 and ${condition} order by waiting.id limit $2 for update skip locked`,
      [inbox, limit],
    );
    return rows;
  };
  if (!isSuspect) return await lock("tries = 0", max);
  const first = await lock("tries > 0", 1);
  const tries = numberOf(first[0], "tries");
  const size = batchSize(tries, max);
  if (first.length === 0 || size === 1) return first;
  // Rows that this transaction has locked are not skipped.
  return await lock(`tries > 0 and tries = ${tries}`, size);
}

/**
 * An input with a result is deleted: whichever transaction deletes it has its result, and there cannot be two.
 *
 * The rows are found by their places (`ctid`), which cannot change while they are locked. With a condition on `id` as well, a
 * planner without statistics takes the inbox for small, and reads all of it to find a batch. If a row without a result were among
 * them, PostgreSQL would refuse it: `status` is not null.
 */
function commitStatement({ inbox, inboxResults, attempts }: Names): string {
  return `with attempt as (delete from ${attempts} where id = $6),
    given as materialized (
      select id::bigint as id, status, result
      from rows from (string_to_table($2, ','), ${"string_to_table($3, E'\\n')"}, ${splitText(4, 5)})
        as given(id, status, result)
      where id is not null
    ),
    done as (
      delete from ${inbox} where ctid = any(string_to_array($7, ' ')::tid[]) returning inbox, id, reference
    )
    insert into ${inboxResults} (inbox, id, reference, status, result)
      select done.inbox, done.id, done.reference, given.status, given.result
      from done left join given on given.id = done.id and done.inbox = $1`;
}

/** Counts a try of each input that is still there. The last try makes it a dead letter. */
async function blameInputs(
  client: PostgresClient,
  { inbox, inboxDead }: Names,
  name: string,
  { ids }: Attempt,
  reason: string | null,
): Promise<void> {
  const list = ids?.split(",") ?? [];
  // The bounds keep a planner without statistics from reading the whole inbox.
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
