import { DecernError } from "@decern/core";
import {
  codeOf,
  inTransaction,
  lockUntilCommit,
  numberOf,
  type PostgresClient,
  type PostgresPool,
  saidOf,
  textOf,
} from "../client/client.js";
import { type Names, quote } from "../client/layout.js";
import type { ChunksSettings } from "./chunks-options.js";
import { textSettings } from "./statements.js";

interface SourceTable {
  /** With its schema, quoted. */
  readonly table: string;
  readonly key: string;
  readonly keyType: string;
  /** The input as text, over the row `t`. */
  readonly input: string;
}

/**
 * Finds the table, and that its key can divide it: one column, unique and never null.
 *
 * @throws DecernError `INVALID_OPTIONS`
 */
async function readSourceTable(client: PostgresClient, options: ChunksSettings): Promise<SourceTable> {
  const { rows } = await client
    .query(
      `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as source, c.relkind::text as kind, a.attnotnull::text as filled,
        format_type(a.atttypid, -1) as type,
        (select 'yes' from pg_inherits i where i.inhparent = c.oid and c.relkind = 'r' limit 1) as is_inherited,
        (select 'yes' from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
          and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum limit 1) as is_unique
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_attribute a on a.attrelid = c.oid and a.attname = $2 and a.attnum > 0 and not a.attisdropped
      where c.oid = to_regclass($1)`,
      [options.table, options.key],
    )
    .catch((error: unknown) => {
      // Such as `my table`, which needs quotes in SQL.
      if (/^(?:42|0A)/.test(codeOf(error) ?? ""))
        refuse("/table", `is not a valid table name: ${saidOf(error)}`);
      throw error;
    });
  const [row] = rows;
  const source = textOf(row, "source");
  if (source === null) refuse("/table", `table ${options.table} does not exist`);
  if (!["r", "p"].includes(textOf(row, "kind") ?? ""))
    refuse("/table", "must be a table: the key of a view is not known to be unique");
  if (textOf(row, "is_inherited") !== null)
    refuse("/table", "must not have tables that inherit from it: no index spans their keys");
  const keyType = textOf(row, "type");
  if (keyType === null) refuse("/key", `${source} has no column ${options.key}`);
  if (textOf(row, "is_unique") === null || textOf(row, "filled") !== "true")
    refuse(
      "/key",
      `${options.key} must be a primary key of one column, or NOT NULL with a unique index of its own; keys of several columns are not supported`,
    );
  const input = inputSql(options);
  await checkInput(client, source, input, options);
  return { table: source, key: quote(options.key), keyType, input };
}

/** A worker would retry an invalid statement forever. */
async function checkInput(
  client: PostgresClient,
  table: string,
  input: string,
  options: ChunksSettings,
): Promise<void> {
  try {
    await client.query(`select ${input} from ${table} as t limit 0`);
  } catch (error) {
    if (!/^(?:22|42)/.test(codeOf(error) ?? "") || codeOf(error) === "42501") throw error;
    refuse(options.input === undefined ? "/columns" : "/input", saidOf(error));
  }
}

function inputSql({ columns, input }: ChunksSettings): string {
  // A comment at the end must not swallow the rest. `t.*` is always the row, even if a column has the name of the row.
  if (input !== undefined) return `(${input}\n)::text`;
  if (columns === undefined) return "row_to_json(t.*)::text";
  const list = columns.map((column) => `t.${quote(column)}`).join(", ");
  return `(select row_to_json(chosen.*)::text from (select ${list}) as chosen)`;
}

function refuse(path: string, message: string): never {
  throw new DecernError("INVALID_OPTIONS", { detail: "postgresChunks", problems: [{ path, message }] });
}

export interface Job extends SourceTable {
  readonly name: string;
  readonly epochMs: number;
}

/**
 * Reads a job, or creates it and its chunks in one transaction.
 *
 * @throws DecernError `INVALID_OPTIONS` where it exists and differs, with every difference
 */
export async function ensureJob(pool: PostgresPool, names: Names, options: ChunksSettings): Promise<Job> {
  return await inTransaction(pool, async (client) => {
    await client.query(textSettings);
    const source = await readSourceTable(client, options);
    const existing = await readJob(client, names, source, options);
    if (existing !== undefined) return existing;
    await lockUntilCommit(client, `decern job ${names.schemaName}.${options.job}`);
    return (
      (await readJob(client, names, source, options)) ?? (await createJob(client, names, source, options))
    );
  });
}

async function readJob(
  client: PostgresClient,
  names: Names,
  source: SourceTable,
  { job, revision, now }: ChunksSettings,
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
  { job, revision, now = new Date(), chunkItems }: ChunksSettings,
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
