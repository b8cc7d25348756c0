import type { BulkBacklog, BulkSource } from "@decern/bulk";
import { type ChunksOptions, chunksSettings } from "./chunks-options.js";
import { ensureJob } from "./job.js";
import { jobWork } from "./job-work.js";
import { ensureBulkTables } from "./layout.js";
import { type DeadLetter, PostgresSource } from "./source.js";

/** The rows of a table as inputs, for `runWorker` of `@decern/bulk`. It ends once every row has its result. */
export interface PostgresChunks extends BulkSource {
  /**
   * Creates the tables and the job where they are missing; `take` does so as well. Call it first: a worker would try again and
   * again what is refused here.
   *
   * @throws DecernError `INVALID_OPTIONS` (rejects with it) where the table or its key cannot be used, or where the job exists with
   * another table, key, input, revision or `now`
   */
  prepare(): Promise<void>;
  /** Rows without a result, from the counts of the chunks. */
  backlog(): Promise<BulkBacklog>;
  /** Rows that were given up. @param limit - most to return; 100 by default */
  deadLetters(limit?: number): Promise<readonly DeadLetter[]>;
  /** Has dead letters evaluated after all, as the table has them now. @param positions - which; all by default. @returns how many */
  retryDead(positions?: readonly string[]): Promise<number>;
}

/**
 * Makes a source of the rows of a table, which it divides into ranges of their key. Results and progress are one transaction: each
 * row is evaluated exactly once.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const source = postgresChunks({ pool: new Pool(), job: "march", table: "loans", key: "id", revision: loanApproval });
 */
export function postgresChunks(options: ChunksOptions): PostgresChunks {
  const settings = chunksSettings(options);
  const { pool } = settings;
  return new PostgresSource(settings, "rows", async (names) => {
    await ensureBulkTables(pool, names);
    return jobWork(names, await ensureJob(pool, names, settings));
  });
}
