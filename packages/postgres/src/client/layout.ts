import {
  exists,
  inTransaction,
  lockUntilCommit,
  numberOf,
  type PostgresClient,
  type PostgresPool,
} from "./client.js";

/** Names of our tables in one schema, quoted. */
export type Names = ReturnType<typeof namesIn>;

export function namesIn(schemaName: string) {
  const schema = quote(schemaName);
  const table = (name: string): string => `${schema}.${quote(name)}`;
  return {
    /** Not quoted. */
    schemaName,
    schema,
    logLayouts: table("decern_layouts"),
    chains: table("decern_chains"),
    profiles: table("decern_profiles"),
    records: table("decern_records"),
    erasures: table("decern_erasures"),
    /** The table of one month. */
    month: table,
    bulkLayouts: table("decern_bulk_layouts"),
    attempts: table("decern_attempts"),
    inbox: table("decern_inbox"),
    inboxResults: table("decern_inbox_results"),
    inboxDead: table("decern_inbox_dead"),
    jobs: table("decern_jobs"),
    chunks: table("decern_chunks"),
    jobResults: table("decern_job_results"),
    jobDead: table("decern_job_dead"),
  };
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tables that are created and changed together. */
export interface Layout {
  /** The table that records the versions. */
  readonly versions: (names: Names) => string;
  /** Each step turns the tables into those of the next version. */
  readonly steps: readonly ((names: Names) => string)[];
}

/**
 * Creates tables, or brings them up to date. Needs no right to do so where nothing is missing; several processes may run it at the same time.
 *
 * @throws Error where the database has tables of a newer version of this package
 */
export async function ensureLayout(
  pool: PostgresPool,
  names: Names,
  { versions, steps }: Layout,
): Promise<void> {
  const table = versions(names);
  const version = (await exists(pool, table)) ? await currentVersion(pool, table) : 0;
  if (version === steps.length) return;
  if (version > steps.length)
    throw new Error(
      `The tables in schema ${names.schemaName} are of layout ${version}; this version of @decern/postgres knows ${steps.length}`,
    );
  await inTransaction(pool, async (client) => {
    await lockLayout(client, names);
    await createVersions(client, names, table);
    // Another process may have changed the tables while this one waited for the lock.
    for (let next = await currentVersion(client, table); next < steps.length; next += 1) {
      await client.query(steps[next]?.(names) ?? "");
      await client.query(`insert into ${table} (version) values ($1)`, [next + 1]);
    }
  });
}

/** Lets one process at a time change tables, until the end of the transaction. */
export function lockLayout(client: PostgresClient, { schemaName }: Names): Promise<void> {
  return lockUntilCommit(client, `decern layout ${schemaName}`);
}

/** `if not exists` needs the right to create even where it creates nothing, so look first. */
async function createVersions(client: PostgresClient, names: Names, versions: string): Promise<void> {
  const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [names.schemaName]);
  if (rows.length === 0) await client.query(`create schema ${names.schema}`);
  if (await exists(client, versions)) return;
  await client.query(
    `create table ${versions} (version integer primary key, created_at timestamptz not null default now())`,
  );
}

async function currentVersion(client: Pick<PostgresClient, "query">, versions: string): Promise<number> {
  const { rows } = await client.query(`select coalesce(max(version), 0)::text as version from ${versions}`);
  return numberOf(rows[0], "version");
}
