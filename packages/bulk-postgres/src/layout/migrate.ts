import { checkOptions, type OptionTable } from "@decern/core/tools";
import { type Names, namesIn } from "../names.js";
import { schemaKind } from "../option-kinds.js";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { numberOf, textOf } from "../row.js";
import { inTransaction } from "../with-client.js";
import { layouts } from "./layouts.js";
import { lockLayout } from "./lock-layout.js";

export interface MigrateOptions {
  /** Schema of the tables; created if it is missing. @default "public" */
  readonly schema?: string | undefined;
}

const kinds: OptionTable<MigrateOptions> = { schema: schemaKind };

/**
 * Creates the tables, or brings them up to date. Changes nothing where they are; several processes may run it at once. The
 * sources run it, too.
 *
 * @throws DecernError `INVALID_OPTIONS`; Error where the database has tables of a newer version of this package
 * @example
 * await migrate(new Pool({ user: "owner" }));
 */
export async function migrate(pool: PostgresPool, options: MigrateOptions = {}): Promise<void> {
  checkOptions("migrate", options, { kinds });
  await ensureLayout(pool, namesIn(options.schema ?? "public"));
}

/** Creates or changes tables. Needs no right to do so where nothing is missing. */
export async function ensureLayout(pool: PostgresPool, names: Names): Promise<void> {
  if (await isCurrent(pool, names)) return;
  await inTransaction(pool, async (client) => {
    await lockLayout(client, names);
    await createLayouts(client, names);
    const version = await currentVersion(client, names);
    for (const [index, layout] of layouts.entries()) {
      if (index < version) continue;
      await client.query(layout(names));
      await client.query(`insert into ${names.layouts} (version) values ($1)`, [index + 1]);
    }
  });
}

async function isCurrent(pool: PostgresPool, names: Names): Promise<boolean> {
  const { rows } = await pool.query("select current_setting('server_encoding') as encoding");
  if (textOf(rows[0], "encoding") === "SQL_ASCII")
    throw new Error("The database has the encoding SQL_ASCII, which does not say what its bytes mean");
  if (!(await exists(pool, names.layouts))) return false;
  const version = await currentVersion(pool, names);
  if (version > layouts.length) {
    throw new Error(
      `The tables in schema ${names.schemaName} are of layout ${version}; this version of @decern/bulk-postgres knows ${layouts.length}`,
    );
  }
  return version === layouts.length;
}

/** `if not exists` asks for the right to create even where it then creates nothing, so we look first. */
async function createLayouts(client: PostgresClient, names: Names): Promise<void> {
  const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [names.schemaName]);
  if (rows.length === 0) await client.query(`create schema ${names.schema}`);
  if (await exists(client, names.layouts)) return;
  await client.query(
    `create table ${names.layouts} (version integer primary key, created_at timestamptz not null default now())`,
  );
}

async function exists(client: Pick<PostgresClient, "query">, table: string): Promise<boolean> {
  const { rows } = await client.query("select 1 where to_regclass($1) is not null", [table]);
  return rows.length > 0;
}

async function currentVersion(client: Pick<PostgresClient, "query">, names: Names): Promise<number> {
  const { rows } = await client.query(
    `select coalesce(max(version), 0)::text as version from ${names.layouts}`,
  );
  return numberOf(rows[0], "version");
}
