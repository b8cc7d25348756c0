import type { BulkItem, BulkResult } from "@decern/bulk";
import { numberOf, type PostgresClient, textOf } from "../client/client.js";
import type { Names } from "../client/layout.js";
import type { Attempt, BatchTransaction } from "./batch-transaction.js";
import type { Job } from "./job.js";
import type { LockedBatch, Work } from "./source.js";
import {
  batchSize,
  isAboutInputs,
  joinTexts,
  mostTries,
  reasonUnknown,
  splitText,
  textSettings,
} from "./statements.js";

export function jobWork(names: Names, job: Job): Work {
  const { jobs, chunks, jobDead } = names;
  return {
    source: `job ${job.name}`,
    name: job.name,
    suspects: `select 1 from ${chunks} where job = $1 and done_at is null and tries > 0 limit 1`,
    waiting: `select 1 from ${chunks} where job = $1 and done_at is null limit 1`,
    // Reads the unfinished chunks, and not the table.
    backlog: `select coalesce(sum(greatest(items - answered, 0)), 0)::text as items,
        (select count(*) from ${jobDead} where job = $1)::text as dead,
        (select extract(epoch from now() - created_at) from ${jobs} where job = $1)::text as seconds
      from ${chunks} where job = $1 and done_at is null`,
    deadLetters: `select position, input, tries::text as tries, reason,
        (extract(epoch from died_at) * 1000)::bigint::text as died_ms
      from ${jobDead} where job = $1 order by died_at, position limit $2`,
    // Makes a chunk of each.
    retry: `with locked as (select job from ${jobs} where job = $1 for update),
      back as (
        delete from ${jobDead} using locked
        where ${jobDead}.job = locked.job and ($2::text[] is null or position = any($2::text[])) returning position
      )
      insert into ${chunks} (job, chunk, last_key, is_single, items)
        select $1, (select coalesce(max(chunk), 0) from ${chunks} where job = $1) + row_number() over (), position, true, 1
        from back returning 1`,
    lock: (transaction, isSuspect, max) => new RowBatch(transaction, names, job).lock(isSuspect, max),
    blame: (client, attempt, reason) => blameRows(client, names, job, attempt, reason),
  };
}

interface LockedChunk {
  readonly chunk: string;
  readonly afterKey: string | null;
  readonly lastKey: string;
  readonly isSingle: boolean;
  readonly size: number;
}

class RowBatch {
  readonly #transaction: BatchTransaction;
  readonly #names: Names;
  readonly #job: Job;

  constructor(transaction: BatchTransaction, names: Names, job: Job) {
    this.#transaction = transaction;
    this.#names = names;
    this.#job = job;
  }

  async lock(isSuspect: boolean, max: number): Promise<LockedBatch | undefined> {
    for (;;) {
      const chunk = await this.#lockChunk(isSuspect, max);
      if (chunk === undefined) return undefined;
      const items = await this.#readInputs(chunk);
      if (items.length > 0) return this.#batchOf(chunk, items);
      // Its rows have been deleted since the job was created.
      await this.#transaction.client.query(
        `update ${this.#names.chunks} set done_at = now(), tries = 0 where job = $1 and chunk = $2::bigint`,
        [this.#job.name, chunk.chunk],
      );
    }
  }

  async #lockChunk(isSuspect: boolean, max: number): Promise<LockedChunk | undefined> {
    const { rows } = await this.#transaction.client.query(
      `select chunk::text as chunk, after_key, last_key, case when is_single then 'yes' end as is_single,
          (case when alone > 0 then 2 when suspects > 0 then 1 else 0 end)::text as stage,
          (case when alone > 0 then alone when suspects > 0 then suspects else items end)::text as left
        from ${this.#names.chunks} as waiting
        where job = $1 and done_at is null and ${isSuspect ? "tries > 0" : "tries = 0"}
        order by waiting.chunk limit 1 for update skip locked`,
      [this.#job.name],
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
      // Rows that were tried before are taken separately.
      size: stage === 0 ? size : Math.min(size, numberOf(row, "left")),
    };
  }

  async #readInputs(chunk: LockedChunk): Promise<readonly BulkItem[]> {
    try {
      const rows = await this.#readRows(chunk, this.#job.input);
      return rows.map((row) => ({
        position: textOf(row, "position") ?? "",
        // An expression that is NULL isn't an input; JSON's null is.
        bytes: Buffer.from(textOf(row, "input") ?? "null"),
      }));
    } catch (error) {
      if (isAboutInputs(error)) await this.#refuseRows(chunk, error);
      throw error;
    }
  }

  /** Counts a try of rows whose input cannot be computed. Smaller and smaller batches leave only these. */
  async #refuseRows(chunk: LockedChunk, error: unknown): Promise<void> {
    const { client } = this.#transaction;
    // The lock is from after the savepoint.
    await client.query("rollback to savepoint taken");
    const { rows: locked } = await client.query(
      `select 1 from ${this.#names.chunks} where job = $1 and chunk = $2::bigint and done_at is null
        and after_key is not distinct from $3 for update skip locked`,
      [this.#job.name, chunk.chunk, chunk.afterKey],
    );
    if (locked.length === 0) return;
    const rows = await this.#readRows(chunk, "null");
    const lastKey = textOf(rows.at(-1), "position");
    if (lastKey === null) return;
    this.#transaction.blame("The input could not be read", error);
    await this.#transaction.note({ ...chunk, lastKey, items: rows.length });
  }

  async #readRows(chunk: LockedChunk, input: string): Promise<readonly object[]> {
    const { table, key, keyType } = this.#job;
    const { afterKey, lastKey, isSingle, size } = chunk;
    const select = `select t.${key}::text as position, ${input} as input from ${table} as t where`;
    const order = `order by t.${key} limit ${size}`;
    const last = `$1::text::${keyType}`;
    const after = isSingle || afterKey === null ? "" : `t.${key} > $2::text::${keyType} and `;
    const { rows } = await this.#transaction.client.query(
      `${select} ${after}t.${key} ${isSingle ? "=" : "<="} ${last} ${order}`,
      after === "" ? [lastKey] : [lastKey, afterKey],
    );
    return rows;
  }

  #batchOf(locked: LockedChunk, items: readonly BulkItem[]): LockedBatch {
    const { chunk, afterKey, lastKey, isSingle, size } = locked;
    const { name, epochMs } = this.#job;
    const reached = items.at(-1)?.position ?? "";
    const isDone = isSingle || reached === lastKey || items.length < size;
    return {
      items,
      epochMs,
      attempt: { chunk, afterKey, lastKey: reached, items: items.length },
      store: (results) => {
        const column = (read: (result: BulkResult) => string) => joinTexts(results.map(read));
        const positions = column(({ position }) => position);
        const texts = column(({ text }) => text);
        const statuses = column(({ status }) => status).text;
        const progress = [name, chunk, reached, isDone ? "yes" : null, items.length];
        const columns = [positions.text, positions.separator, statuses, texts.text, texts.separator];
        return {
          text: commitStatement(this.#names),
          values: [...progress, ...columns, this.#transaction.id],
        };
      },
    };
  }
}

/** The primary key of the results rejects a second result. */
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

/**
 * Counts a try of the rows that come next in a chunk, unless they have got a result since. The first try puts all rows of its batch
 * under suspicion, the second those of a small one, and from the third on it is one row; at the last it becomes a dead letter.
 */
async function blameRows(
  client: PostgresClient,
  { chunks, jobDead }: Names,
  job: Job,
  { chunk, afterKey, lastKey = null, items }: Attempt,
  reason: string | null,
): Promise<void> {
  const { rows } = await client.query(
    `select 1 from ${chunks}
      where job = $1 and chunk = $2::bigint and after_key is not distinct from $3 and done_at is null for update`,
    [job.name, chunk, afterKey],
  );
  if (rows.length === 0 || lastKey === null) return;
  const changed = await client.query(
    `update ${chunks} set
        suspects = case when tries = 0 and $3::int > 1 then $3::int else suspects end,
        alone = case when $3::int = 1 then greatest(alone, 1) when tries > 0 then $3::int else alone end,
        tries = case when $3::int = 1 then tries + 1 else least(tries + 1, 2) end
      where job = $1 and chunk = $2::bigint returning case when tries >= ${mostTries} then 'yes' end as is_dead`,
    [job.name, chunk, items],
  );
  if (textOf(changed.rows[0], "is_dead") === null) return;
  await client.query(
    `insert into ${jobDead} (job, position, input, tries, reason) values ($1, $2, $3, ${mostTries}, $4)`,
    [job.name, lastKey, await inputOf(client, job, lastKey), reason ?? reasonUnknown],
  );
  await client.query(
    `update ${chunks} set after_key = $3, answered = answered + 1,
        suspects = greatest(suspects - 1, 0), alone = greatest(alone - 1, 0),
        tries = case when alone > 1 then 2 when suspects > 1 then 1 else 0 end,
        done_at = case when last_key = $3 then now() end
      where job = $1 and chunk = $2::bigint`,
    [job.name, chunk, lastKey],
  );
}

/** The current input of a row; `null` if the row is gone or its input is rejected. */
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
