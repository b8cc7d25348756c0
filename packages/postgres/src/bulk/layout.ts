import { checkedOptions, type OptionsOf } from "@decern/core/options";
import { type PostgresPool, textOf } from "../client/client.js";
import { ensureLayout, type Layout, type Names, namesIn } from "../client/layout.js";
import { schemaRows } from "../client/option-kinds.js";

// Names and positions have the collation "C": an index under another collation breaks when the system's C library changes its order.

const inboxTables = ({ inbox, inboxResults, inboxDead }: Names): string => `
  create table ${inbox} (
    inbox text collate "C" not null, id bigint generated always as identity, reference text, input text not null,
    added_at timestamptz not null default now(), tries integer not null default 0 check (tries >= 0),
    primary key (inbox, id)
  ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
  create index on ${inbox} (inbox, id) where tries > 0;
  create table ${inboxResults} (
    inbox text collate "C" not null, id bigint not null, reference text, status text collate "C" not null,
    result text not null, answered_at timestamptz not null default now(),
    primary key (inbox, id)
  );
  create table ${inboxDead} (
    inbox text collate "C" not null, id bigint not null, reference text, input text not null,
    added_at timestamptz not null, tries integer not null, reason text not null,
    died_at timestamptz not null default now(),
    primary key (inbox, id)
  );
  comment on table ${inbox} is 'Inputs that wait for an answer';`;

const jobTables = ({ jobs, chunks, jobResults, jobDead }: Names): string => `
  create table ${jobs} (
    job text collate "C" primary key, source text not null, key text not null, key_type text not null,
    input text not null, decision text not null, version text not null, profile text, now timestamptz not null,
    items bigint not null, created_at timestamptz not null default now()
  );
  create table ${chunks} (
    job text collate "C" not null references ${jobs} on delete cascade, chunk bigint not null,
    after_key text, last_key text not null, is_single boolean not null default false,
    items bigint not null, answered bigint not null default 0, tries integer not null default 0,
    suspects integer not null default 0, alone integer not null default 0, done_at timestamptz,
    primary key (job, chunk)
  ) with (fillfactor = 50);
  create index on ${chunks} (job, chunk) where done_at is null;
  create table ${jobResults} (
    job text collate "C" not null, position text collate "C" not null, status text collate "C" not null,
    result text not null,
    primary key (job, position)
  );
  create table ${jobDead} (
    job text collate "C" not null, position text collate "C" not null, input text, tries integer not null,
    reason text not null, died_at timestamptz not null default now(),
    primary key (job, position)
  );
  comment on table ${jobs} is 'Tables whose rows are answered';`;

// Not logged: PostgreSQL empties this table after a crash. What was under way then failed because of the database, not an input.
const attemptsTable = ({ attempts }: Names): string => `
  create unlogged table ${attempts} (
    id bigint primary key, source text collate "C" not null, ids bigint[], chunk bigint,
    after_key text, last_key text, items integer not null, reason text,
    server_started timestamptz not null default pg_postmaster_start_time(),
    began_at timestamptz not null default now()
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  comment on table ${attempts} is 'What workers have at the moment';`;

const steps: Layout["steps"] = [(names) => attemptsTable(names) + inboxTables(names) + jobTables(names)];

const bulkLayout: Layout = { versions: ({ bulkLayouts }) => bulkLayouts, steps };

/** Options of `migrate`. */
export interface MigrateOptions extends OptionsOf<typeof schemaRows> {}

/**
 * Creates the tables, or brings them up to date. Changes nothing where they are; several processes may run it at the same time. The
 * sources run it, too.
 *
 * @throws DecernError `INVALID_OPTIONS`; Error where the database has tables of a newer version of this package
 * @example
 * await migrate(new Pool({ user: "owner" }));
 */
export async function migrate(pool: PostgresPool, options: MigrateOptions = {}): Promise<void> {
  const { schema } = checkedOptions("migrate", options, schemaRows);
  await ensureBulkTables(pool, namesIn(schema));
}

export async function ensureBulkTables(pool: PostgresPool, names: Names): Promise<void> {
  const { rows } = await pool.query("select current_setting('server_encoding') as encoding");
  if (textOf(rows[0], "encoding") === "SQL_ASCII")
    throw new Error("The database has the encoding SQL_ASCII, which does not say what its bytes mean");
  await ensureLayout(pool, names, bulkLayout);
}
