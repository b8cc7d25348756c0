import {
  exists,
  inTransaction,
  lockUntilCommit,
  numberOf,
  type PostgresClient,
  type PostgresPool,
} from "./client.js";
import type { Names } from "./names.js";

/** A set of tables that are created and changed together. */
export interface Layout {
  /** The table that says how far it is. */
  readonly versions: (names: Names) => string;
  /** Each turns the tables into those of the next version. */
  readonly steps: readonly ((names: Names) => string)[];
}

/**
 * Creates tables, or brings them up to date. Needs no right to do so where nothing is missing; several processes may run it at the same time.
 *
 * @throws Error where the database has tables of a newer version of this package
 */
export async function ensureLayout(pool: PostgresPool, names: Names, layout: Layout): Promise<void> {
  if (await isCurrent(pool, names, layout)) return;
  const versions = layout.versions(names);
  await inTransaction(pool, async (client) => {
    await lockLayout(client, names);
    await createVersions(client, names, versions);
    const version = await currentVersion(client, versions);
    for (const [index, step] of layout.steps.entries()) {
      if (index < version) continue;
      await client.query(step(names));
      await client.query(`insert into ${versions} (version) values ($1)`, [index + 1]);
    }
  });
}

/** Lets one process at a time change tables, until the end of the transaction. */
export function lockLayout(client: PostgresClient, { schemaName }: Names): Promise<void> {
  return lockUntilCommit(client, `decern layout ${schemaName}`);
}

async function isCurrent(pool: PostgresPool, names: Names, { versions, steps }: Layout): Promise<boolean> {
  const table = versions(names);
  if (!(await exists(pool, table))) return false;
  const version = await currentVersion(pool, table);
  if (version > steps.length) {
    throw new Error(
      `The tables in schema ${names.schemaName} are of layout ${version}; this version of @decern/postgres knows ${steps.length}`,
    );
  }
  return version === steps.length;
}

/** `if not exists` asks for the right to create even where it then creates nothing, so we look first. */
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
