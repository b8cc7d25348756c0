import {
  type Checked,
  checkedOptions,
  type Kind,
  kinds,
  type OptionsOf,
  oneAtMost,
  option,
  requiredOption,
} from "@decern/core/options";
import { nameKind, roomyPoolKind, schemaRows } from "../client/option-kinds.js";

/** The version that evaluates the rows of a job. A decision is one. */
export interface Revision {
  readonly id: string;
  readonly version: string;
  /** Identifies the profile, such as by a hash. */
  readonly profile?: string | undefined;
}

const keyKind: Kind<string> = (value, path) =>
  Array.isArray(value)
    ? [{ path, message: "must be the name of one column; keys of several columns are not supported" }]
    : kinds.nonEmptyText(value, path);

/** A decision has further members, so others are let through. */
const revisionKind: Kind<Revision> = (value, path) => {
  if (typeof value !== "object" || value === null) return kinds.object()(value, path);
  return [
    ...kinds.nonEmptyText(Reflect.get(value, "id"), `${path}/id`),
    ...kinds.nonEmptyText(Reflect.get(value, "version"), `${path}/version`),
  ];
};

/** What both sources have. */
export const sourceRows = {
  /**
   * A `pg.Pool` with more connections than lanes.
   *
   * It stays yours: close it after the worker has ended.
   */
  pool: requiredOption(roomyPoolKind),
  ...schemaRows,
  /**
   * How long a worker can hold a batch, in milliseconds.
   *
   * Then PostgreSQL ends its connection, others take the inputs, and it counts as a try.
   * @default 60000
   */
  batchTimeoutMs: option(kinds.wholeNumber, 60_000),
};

const rows = {
  ...sourceRows,
  /**
   * Its name.
   *
   * As in the column `job`.
   */
  job: requiredOption(nameKind),
  /** As in SQL. */
  table: requiredOption(kinds.nonEmptyText),
  /**
   * A primary key, or a unique `NOT NULL` column.
   *
   * Its name, not quoted.
   */
  key: requiredOption(keyKind),
  /**
   * The decision, or `{ id, version, profile }`.
   *
   * A job can't continue with a different one.
   */
  revision: requiredOption(revisionKind),
  /** Columns of the input, not quoted. @default all */
  columns: option(kinds.listOf(kinds.nonEmptyText, { nonEmpty: true })),
  /**
   * SQL over the row `t`, never from untrusted text.
   *
   * Of type json or jsonb.
   * @default the columns
   */
  input: option(kinds.nonEmptyText),
  /** Instant of all evaluations. @default creation of the job */
  now: option(kinds.date),
  /**
   * Rows per chunk.
   *
   * Only when the job is created.
   * @default 10000
   */
  chunkItems: option(kinds.wholeNumber, 10_000),
};

/** Options of `postgresChunks`. */
export interface ChunksOptions extends OptionsOf<typeof rows> {}

export type ChunksSettings = Checked<typeof rows>;

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function chunksSettings(options: ChunksOptions): ChunksSettings {
  return checkedOptions("postgresChunks", options, rows, [oneAtMost("columns", "input")]);
}
