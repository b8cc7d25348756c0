import { DecernError } from "@decern/core";
import { lockLayout } from "../layout/lock-layout.js";
import type { Names } from "../names.js";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { numberOf, textOf } from "../row.js";
import { textSettings } from "../text-settings.js";
import { inTransaction } from "../with-client.js";
import type { ChunksOptions } from "./chunks-options.js";
import { readSourceTable, type SourceTable } from "./source-table.js";

/** A job as it is stored. */
export interface Job extends SourceTable {
  readonly name: string;
  readonly epochMs: number;
}

/**
 * Reads a job, or creates it and its chunks in one transaction.
 *
 * @throws DecernError `INVALID_OPTIONS` where it exists and differs, with every difference
 */
export async function ensureJob(pool: PostgresPool, names: Names, options: ChunksOptions): Promise<Job> {
  return await inTransaction(pool, async (client) => {
    await client.query(textSettings);
    const source = await readSourceTable(client, options);
    const existing = await readJob(client, names, source, options);
    if (existing !== undefined) return existing;
    await lockLayout(client, names);
    return (
      (await readJob(client, names, source, options)) ?? (await createJob(client, names, source, options))
    );
  });
}

async function readJob(
  client: PostgresClient,
  names: Names,
  source: SourceTable,
  { job, revision, now }: ChunksOptions,
): Promise<Job | undefined> {
  const { rows } = await client.query(
    `select source, key, key_type, input, decision, version, coalesce(profile, '') as profile,
      (extract(epoch from now) * 1000)::bigint::text as now_ms from ${names.jobs} where job = $1`,
    [job],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const epochMs = numberOf(row, "now_ms");
  const given: readonly (readonly [path: string, column: string, value: string])[] = [
    ["/table", "source", source.table],
    ["/key", "key", source.key],
    ["/key", "key_type", source.keyType],
    ["/input", "input", source.input],
    ["/revision/id", "decision", revision.id],
    ["/revision/version", "version", revision.version],
    ["/revision/profile", "profile", revision.profile ?? ""],
    ["/now", "now_ms", String(now?.getTime() ?? epochMs)],
  ];
  const problems = given
    .filter(([, column, value]) => textOf(row, column) !== value)
    .map(([path, column, value]) => ({
      path,
      message: `job ${job} was started with ${textOf(row, column)}, not ${value}; use another name for a new job`,
    }));
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "postgresChunks", problems });
  return { ...source, name: job, epochMs };
}

async function createJob(
  client: PostgresClient,
  names: Names,
  source: SourceTable,
  { job, revision, now = new Date(), chunkItems = 10_000 }: ChunksOptions,
): Promise<Job> {
  const epochMs = now.getTime();
  await client.query(
    `insert into ${names.jobs} (job, source, key, key_type, input, decision, version, profile, now, items)
      values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000), 0)`,
    [
      job,
      source.table,
      source.key,
      source.keyType,
      source.input,
      revision.id,
      revision.version,
      revision.profile ?? null,
      epochMs,
    ],
  );
  await client.query(
    `with numbered as (
      select key, number, lead(key) over (order by number) is null as is_last
      from (select t.${source.key} as key, row_number() over (order by t.${source.key}) as number from ${source.table} as t) as row_numbers
    ), made as (
      insert into ${names.chunks} (job, chunk, after_key, last_key, items)
      select $1, row_number() over (order by number), lag(key::text) over (order by number), key::text,
        number - coalesce(lag(number) over (order by number), 0)
      from numbered where is_last or number % $2::bigint = 0
      returning items
    )
    update ${names.jobs} set items = (select coalesce(sum(items), 0) from made) where job = $1`,
    [job, chunkItems],
  );
  return { ...source, name: job, epochMs };
}
