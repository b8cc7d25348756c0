import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import { nameKind, poolKind, schemaKind } from "../option-kinds.js";
import type { PostgresPool } from "../pool.js";

/** Options of `postgresInbox`. */
export interface InboxOptions {
  /** A `pg.Pool` with at least one connection more than the worker has lanes. It stays yours. */
  readonly pool: PostgresPool;
  /** Schema of the tables; created if it is missing. @default "public" */
  readonly schema?: string | undefined;
  /** The inbox: the column `inbox` of the tables. */
  readonly name: string;
  /**
   * How long a worker may have a batch, in milliseconds. Then PostgreSQL ends its connection, others take the inputs, and it
   * counts as a try.
   * @default 60000
   */
  readonly batchTimeoutMs?: number | undefined;
  /** Ends once the inbox is empty, so that a worker ends as well. @default false */
  readonly endWhenEmpty?: boolean | undefined;
}

const kinds: OptionTable<InboxOptions> = {
  pool: poolKind,
  schema: schemaKind,
  name: nameKind,
  batchTimeoutMs: optionKinds.wholeNumber,
  endWhenEmpty: optionKinds.flag,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
export function checkInboxOptions(options: InboxOptions): void {
  checkOptions("postgresInbox", options, { kinds, required: ["pool", "name"] });
}
