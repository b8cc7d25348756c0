import type { BulkItem, TakenBatch } from "@decern/core";
import type { BatchTransaction } from "../batch/batch-transaction.js";
import { joinTexts, splitText } from "../batch/joined-text.js";
import { batchSize } from "../dead-letter.js";
import type { Names } from "../names.js";
import { numberOf, textOf } from "../row.js";

/** Takes the oldest inputs that nobody has. @returns `undefined` where there are none */
export async function takeInputs(
  transaction: BatchTransaction,
  names: Names,
  inbox: string,
  isSuspect: boolean,
  max: number,
): Promise<TakenBatch | undefined> {
  try {
    const items = await lockInputs(transaction, names, inbox, isSuspect, max);
    if (items.length === 0) {
      await transaction.leave();
      return undefined;
    }
    const ids = items.map(({ position }) => position).join(",");
    if (!(await transaction.note({ ids, items: items.length }))) return undefined;
    return {
      items,
      commit: async (results) => {
        const statuses = joinTexts(results.map(({ status }) => status));
        const texts = joinTexts(results.map(({ text }) => text));
        await transaction.commit(
          commitStatement(names),
          [
            inbox,
            results.map(({ position }) => position).join(","),
            statuses.text,
            texts.text,
            texts.separator,
            transaction.id,
          ],
          items.length,
        );
      },
      release: () => transaction.release(),
    };
  } catch (error) {
    await transaction.release().catch(() => {});
    throw error;
  }
}

async function lockInputs(
  { client }: BatchTransaction,
  names: Names,
  inbox: string,
  isSuspect: boolean,
  max: number,
): Promise<readonly BulkItem[]> {
  const lock = async (condition: string, limit: number) => {
    // `order by id` alone would mean the text.
    const { rows } = await client.query(
      `select id::text as id, input, tries::text as tries from ${names.inbox} as waiting
        where inbox = $1 and ${condition} order by waiting.id limit $2 for update skip locked`,
      [inbox, limit],
    );
    return rows;
  };
  if (!isSuspect) return (await lock("tries = 0", max)).map(itemOf);
  const [first] = await lock("tries > 0", 1);
  if (first === undefined) return [];
  const tries = numberOf(first, "tries");
  const size = batchSize(tries, max);
  if (size === 1) return [itemOf(first)];
  // Rows that this transaction has locked are not skipped.
  return (await lock(`tries > 0 and tries = ${tries}`, size)).map(itemOf);
}

function itemOf(row: object): BulkItem {
  return { position: textOf(row, "id") ?? "", bytes: Buffer.from(textOf(row, "input") ?? "") };
}

/** An input that is answered is deleted: whichever transaction deletes it has its answer, and there cannot be two. */
function commitStatement({ inbox, inboxResults, attempts }: Names): string {
  return `with attempt as (delete from ${attempts} where id = $6),
    given as materialized (
      select id::bigint as id, status, result
      from rows from (string_to_table($2, ','), ${"string_to_table($3, E'\\n')"}, ${splitText(4, 5)})
        as given(id, status, result)
      where id is not null
    ),
    done as (
      delete from ${inbox} where inbox = $1 and id = any(string_to_array($2, ',')::bigint[]) returning id, reference
    )
    insert into ${inboxResults} (inbox, id, reference, status, result)
      select $1, done.id, done.reference, given.status, given.result from done join given on given.id = done.id`;
}
