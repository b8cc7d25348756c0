import { checkOptions, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { PostgresPool } from "./pool.js";

/** Options of `postgres`. */
export interface PostgresOptions {
  /** A `pg.Pool`. It stays yours: the store does not end it. */
  readonly pool: PostgresPool;
  /** Schema of the tables; created if it is missing. @default "public" */
  readonly schema?: string | undefined;
  /**
   * How many days records are kept at least. They are dropped by whole months of writing, so up to 31 days later.
   * @default for ever
   */
  readonly keepDays?: number | undefined;
}

/** A name that PostgreSQL does not cut off. */
export const schemaKind: OptionKind = (value, path) =>
  typeof value === "string" && value !== "" && !value.includes("\0") && Buffer.byteLength(value) < 64
    ? []
    : [{ path, message: "must be the name of a schema, of at most 63 bytes" }];

const kinds: OptionTable<PostgresOptions> = {
  pool: optionKinds.withMethods("query", "connect", "on", "off"),
  schema: schemaKind,
  keepDays: optionKinds.wholeNumber,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkPostgresOptions(options: PostgresOptions): void {
  checkOptions("postgres", options, { kinds, required: ["pool"] });
}
