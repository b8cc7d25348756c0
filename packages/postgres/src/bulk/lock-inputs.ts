import type { BulkItem } from "@decern/bulk";
import { numberOf, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import type { LockedBatch } from "./batch-taker.js";
import type { BatchTransaction } from "./batch-transaction.js";
import { batchSize, joinTexts, splitText } from "./inputs.js";

/** Locks the oldest inputs that no worker has. @returns `undefined` where there are none */
export async function lockInputs(
  transaction: BatchTransaction,
  names: Names,
  inbox: string,
  isSuspect: boolean,
  max: number,
): Promise<LockedBatch | undefined> {
  const rows = await lockRows(transaction, names, inbox, isSuspect, max);
  if (rows.length === 0) return undefined;
  const items = rows.map(itemOf);
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
    // `order by id` alone would mean the text.
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

function itemOf(row: object): BulkItem {
  return { position: textOf(row, "id") ?? "", bytes: Buffer.from(textOf(row, "input") ?? "") };
}

/**
 * An input that is evaluated is deleted: whichever transaction deletes it has its result, and there cannot be two.
 *
 * The rows are found by their places (`ctid`), which no transaction can change while they are locked. With a condition on `id` as well, a
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
