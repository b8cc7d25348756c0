import type { BulkItem, BulkResult } from "@decern/bulk";
import { numberOf, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import type { LockedBatch } from "./batch-taker.js";
import type { BatchTransaction } from "./batch-transaction.js";
import { isAboutInputs } from "./errors.js";
import { batchSize, joinTexts, splitText } from "./inputs.js";
import type { Job } from "./job.js";

/** A chunk that this transaction has locked. */
interface LockedChunk {
  readonly chunk: string;
  readonly afterKey: string | null;
  readonly lastKey: string;
  readonly isSingle: boolean;
  /** Most rows to take. */
  readonly size: number;
}

/** Locks the next rows of a chunk that no worker has. @returns `undefined` where there is none */
export async function lockRows(
  transaction: BatchTransaction,
  names: Names,
  job: Job,
  isSuspect: boolean,
  max: number,
): Promise<LockedBatch | undefined> {
  for (;;) {
    const chunk = await lockChunk(transaction, names, job, isSuspect, max);
    if (chunk === undefined) return undefined;
    const items = await readInputs(transaction, names, job, chunk);
    if (items.length > 0) return batchOf(transaction, names, job, chunk, items);
    // Its rows have been deleted since the job was created.
    await transaction.client.query(
      `update ${names.chunks} set done_at = now(), tries = 0 where job = $1 and chunk = $2::bigint`,
      [job.name, chunk.chunk],
    );
  }
}

async function lockChunk(
  { client }: BatchTransaction,
  { chunks }: Names,
  job: Job,
  isSuspect: boolean,
  max: number,
): Promise<LockedChunk | undefined> {
  const { rows } = await client.query(
    `select chunk::text as chunk, after_key, last_key, case when is_single then 'yes' end as is_single,
        (case when alone > 0 then 2 when suspects > 0 then 1 else 0 end)::text as stage,
        (case when alone > 0 then alone when suspects > 0 then suspects else items end)::text as left
      from ${chunks} as waiting where job = $1 and done_at is null and ${isSuspect ? "tries > 0" : "tries = 0"}
      order by waiting.chunk limit 1 for update skip locked`,
    [job.name],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const stage = numberOf(row, "stage");
  const size = batchSize(stage, max);
  return {
    chunk: textOf(row, "chunk") ?? "",
    afterKey: textOf(row, "after_key"),
    lastKey: textOf(row, "last_key") ?? "",
    isSingle: textOf(row, "is_single") !== null,
    // Rows that were not tried before are not taken with those that were.
    size: stage === 0 ? size : Math.min(size, numberOf(row, "left")),
  };
}

async function readInputs(
  transaction: BatchTransaction,
  names: Names,
  job: Job,
  chunk: LockedChunk,
): Promise<readonly BulkItem[]> {
  try {
    const rows = await readRows(transaction, job, chunk, job.input);
    return rows.map((row) => ({
      position: textOf(row, "position") ?? "",
      // An expression that is NULL isn't an input; JSON's null says so.
      bytes: Buffer.from(textOf(row, "input") ?? "null"),
    }));
  } catch (error) {
    if (isAboutInputs(error)) await refuseRows(transaction, names, job, chunk, error);
    throw error;
  }
}

/** Counts a try of rows whose input cannot be computed: in smaller and smaller batches, all others are evaluated. */
async function refuseRows(
  transaction: BatchTransaction,
  names: Names,
  job: Job,
  chunk: LockedChunk,
  error: unknown,
): Promise<void> {
  // The lock is from after the savepoint.
  await transaction.client.query("rollback to savepoint taken");
  const { rows: locked } = await transaction.client.query(
    `select 1 from ${names.chunks} where job = $1 and chunk = $2::bigint and done_at is null
      and after_key is not distinct from $3 for update skip locked`,
    [job.name, chunk.chunk, chunk.afterKey],
  );
  if (locked.length === 0) return;
  const rows = await readRows(transaction, job, chunk, "null");
  const lastKey = textOf(rows.at(-1), "position");
  if (lastKey === null) return;
  transaction.blame("The input could not be read", error);
  await transaction.note({ chunk: chunk.chunk, afterKey: chunk.afterKey, lastKey, items: rows.length });
}

async function readRows(
  { client }: BatchTransaction,
  { table, key, keyType }: Job,
  { afterKey, lastKey, isSingle, size }: LockedChunk,
  input: string,
): Promise<readonly object[]> {
  const select = `select t.${key}::text as position, ${input} as input from ${table} as t where`;
  const order = `order by t.${key} limit ${size}`;
  const last = `$1::text::${keyType}`;
  const after = `t.${key} > $2::text::${keyType}`;
  const { rows } = isSingle
    ? await client.query(`${select} t.${key} = ${last} ${order}`, [lastKey])
    : afterKey === null
      ? await client.query(`${select} t.${key} <= ${last} ${order}`, [lastKey])
      : await client.query(`${select} ${after} and t.${key} <= ${last} ${order}`, [lastKey, afterKey]);
  return rows;
}

function batchOf(
  transaction: BatchTransaction,
  names: Names,
  job: Job,
  { chunk, afterKey, lastKey, isSingle, size }: LockedChunk,
  items: readonly BulkItem[],
): LockedBatch {
  const reached = items.at(-1)?.position ?? "";
  const isDone = isSingle || reached === lastKey || items.length < size;
  return {
    items,
    epochMs: job.epochMs,
    attempt: { chunk, afterKey, lastKey: reached, items: items.length },
    store: (results) => {
      const column = (read: (result: BulkResult) => string) => joinTexts(results.map(read));
      const positions = column(({ position }) => position);
      const statuses = column(({ status }) => status);
      const texts = column(({ text }) => text);
      const values = [
        job.name,
        chunk,
        reached,
        isDone ? "yes" : null,
        items.length,
        positions.text,
        positions.separator,
        statuses.text,
        texts.text,
        texts.separator,
        transaction.id,
      ];
      return { text: commitStatement(names), values };
    },
  };
}

/** The primary key of the results refuses a second result. */
function commitStatement({ attempts, chunks, jobResults }: Names): string {
  const still = (column: string): string => `greatest(${column} - $5::bigint, 0)`;
  return `with attempt as (delete from ${attempts} where id = $11),
    moved as (
      update ${chunks} set after_key = $3, answered = answered + $5::bigint,
        suspects = ${still("suspects")}, alone = ${still("alone")},
        tries = case when ${still("alone")} > 0 then 2 when ${still("suspects")} > 0 then 1 else 0 end,
        done_at = case when $4::text is not null then now() end
      where job = $1 and chunk = $2::bigint
      returning 1
    )
    insert into ${jobResults} (job, position, status, result)
      select $1, given.position, given.status, given.result
      from moved, rows from (${splitText(6, 7)}, string_to_table($8, E'\\n'), ${splitText(9, 10)})
        with ordinality as given(position, status, result, number)
      where given.number <= $5::bigint`;
}
