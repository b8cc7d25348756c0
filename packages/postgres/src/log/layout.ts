import { checkedOptions, kinds, type OptionsOf, option } from "@decern/core/options";
import type { PostgresPool } from "../client/client.js";
import { ensureLayout, type Layout, namesIn } from "../client/layout.js";
import { schemaRows } from "../client/option-kinds.js";
import { ensureMonths } from "./months.js";

// Text has the collation "C": an index under another collation breaks when the system's C library changes its order.

const steps: Layout["steps"] = [
  ({ chains, profiles, records, erasures }) => `
    create table ${chains} (
      id bigint generated always as identity primary key, token uuid not null unique,
      opened bigint not null default 1, head text, records bigint not null default 0, dropped bigint not null default 0,
      opened_at timestamptz not null default now(), written_at timestamptz not null default now()
    );
    create table ${profiles} (hash text collate "C" primary key, profile text not null);
    create table ${records} (
      written_at timestamptz not null, recorded_at timestamptz not null, chain bigint not null, position bigint not null,
      record_id uuid not null, request_id text collate "C" not null, caller text collate "C",
      decision text collate "C" not null, version text collate "C" not null, status text collate "C" not null,
      rule text collate "C", subject text collate "C", record text not null, payload text,
      primary key (record_id, written_at)
    ) partition by range (written_at);
    create index on ${records} (chain, position);
    create index on ${records} (recorded_at);
    create index on ${records} (request_id);
    create index on ${records} (decision, recorded_at);
    create index on ${records} (caller, recorded_at) where caller is not null;
    create index on ${records} (subject) where subject is not null;
    create index on ${records} (written_at) where payload is null;
    create table ${erasures} (id bigint generated always as identity primary key, erasure text not null);
    comment on table ${records} is 'Decision records, by month of writing';
    comment on column ${records}.record is 'The record as JSON, with payload null';
    comment on column ${records}.payload is 'The payload as JSON; NULL once it was erased';
    comment on table ${erasures} is 'What was erased when, as JSON, each row chained to the one before it';`,
  // Without these, a search for a value that no record has reads everything.
  ({ records }) => `
    create index on ${records} (rule);
    create index on ${records} (version);
    create index on ${records} (status);`,
  // What decisions were made from is kept there as well: it may have the text of a profile, and so its hash.
  ({ profiles }) => `
    alter table ${profiles} add column media_type text collate "C" not null default '';
    alter table ${profiles} drop constraint decern_profiles_pkey;
    alter table ${profiles} add primary key (hash, media_type);
    comment on column ${profiles}.media_type is 'Of what a decision was made from; empty for a profile';`,
];

export const logLayout: Layout = { versions: ({ logLayouts }) => logLayouts, steps };

const rows = {
  ...schemaRows,
  /**
   * For how many months after the current one tables are created. A process that may create tables needs no more than one;
   * otherwise run `migrate` before they run out.
   * @default 1
   */
  monthsAhead: option(kinds.wholeNumber, 1),
};

/** Options of `migrate`. */
export interface MigrateOptions extends OptionsOf<typeof rows> {}

/**
 * Creates the tables, or brings them up to date. Changes nothing where they are; several processes may run it at the same time. `open`
 * of the store runs it, too.
 *
 * @throws DecernError `INVALID_OPTIONS`; Error where the database has tables of a newer version of this package
 * @example
 * await migrate(new Pool({ user: "owner" }), { monthsAhead: 24 });
 */
export async function migrate(pool: PostgresPool, options: MigrateOptions = {}): Promise<void> {
  const { schema, monthsAhead } = checkedOptions("migrate", options, rows);
  const names = namesIn(schema);
  await ensureLayout(pool, names, logLayout);
  await ensureMonths(pool, names, monthsAhead);
}
