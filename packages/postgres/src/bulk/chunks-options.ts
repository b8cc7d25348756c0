import { checkOptions, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { PostgresPool } from "../client/client.js";
import { nameKind, roomyPoolKind, schemaKind } from "../client/option-kinds.js";

/** The version that evaluates the rows of a job. A decision is one. */
export interface Revision {
  readonly id: string;
  readonly version: string;
  /** Identifies the profile, such as by a hash. */
  readonly profile?: string | undefined;
}

/** Options of `postgresChunks`. */
export interface ChunksOptions {
  /** A `pg.Pool` with at least one connection more than the worker has lanes. It stays yours. */
  readonly pool: PostgresPool;
  /** Schema of our tables; created if it is missing. @default "public" */
  readonly schema?: string | undefined;
  /** The job: the column `job` of the tables. */
  readonly job: string;
  /** The table with the inputs: its name, quoted as in SQL where it needs quotes, also with its schema. */
  readonly table: string;
  /** Name of the column that is the table's primary key, or is unique and not null. Not quoted. */
  readonly key: string;
  /** The version that evaluates the rows. A job that was started with another one is refused. */
  readonly revision: Revision;
  /** Names of the columns that make the input; not quoted. @default all */
  readonly columns?: readonly string[] | undefined;
  /** The input as a SQL expression of type json or jsonb over the row `t`. It is SQL: never let a caller write it. */
  readonly input?: string | undefined;
  /** Rows of a chunk, when the job is created. @default 10000 */
  readonly chunkItems?: number | undefined;
  /** The instant of all evaluations of the job. @default when the job is created */
  readonly now?: Date | undefined;
  /**
   * How long a worker may have a batch, in milliseconds. Then PostgreSQL ends its connection, others take the inputs, and it
   * counts as a try.
   * @default 60000
   */
  readonly batchTimeoutMs?: number | undefined;
}

const keyKind: OptionKind = (value, path) =>
  Array.isArray(value)
    ? [{ path, message: "must be the name of one column; keys of several columns are not supported" }]
    : optionKinds.nonEmptyText(value, path);

const instantKind: OptionKind = (value, path) =>
  value instanceof Date && !Number.isNaN(value.getTime()) ? [] : [{ path, message: "must be a valid Date" }];

/** A decision has more members, so they are allowed. */
const revisionKind: OptionKind = (value, path) => {
  if (typeof value !== "object" || value === null) return optionKinds.object(value, path);
  return [
    ...optionKinds.nonEmptyText(Reflect.get(value, "id"), `${path}/id`),
    ...optionKinds.nonEmptyText(Reflect.get(value, "version"), `${path}/version`),
  ];
};

const kinds: OptionTable<ChunksOptions> = {
  pool: roomyPoolKind,
  schema: schemaKind,
  job: nameKind,
  table: optionKinds.nonEmptyText,
  key: keyKind,
  revision: revisionKind,
  columns: optionKinds.listOf(optionKinds.nonEmptyText, { nonEmpty: true }),
  input: optionKinds.nonEmptyText,
  chunkItems: optionKinds.wholeNumber,
  now: instantKind,
  batchTimeoutMs: optionKinds.wholeNumber,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkChunksOptions(options: ChunksOptions): void {
  checkOptions("postgresChunks", options, {
    kinds,
    required: ["pool", "job", "table", "key", "revision"],
    exclusive: [["columns", "input"]],
  });
}
