import type { BulkBacklog, BulkSource, TakenBatch } from "@decern/bulk";
import type { PostgresPool } from "../client/client.js";
import { type Names, namesIn } from "../client/names.js";
import { BatchTaker, type Work } from "./batch-taker.js";
import { type ChunksOptions, checkChunksOptions } from "./chunks-options.js";
import { blameRows, jobBacklog, jobDeadLetters, retryRows } from "./dead-rows.js";
import { doing } from "./errors.js";
import type { DeadLetter } from "./inputs.js";
import { ensureJob } from "./job.js";
import { ensureBulkTables } from "./layout.js";
import { lockRows } from "./lock-rows.js";
import { nothing } from "./turns.js";

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
  return new Chunks(checkChunksOptions(options));
}

class Chunks implements PostgresChunks {
  readonly #options: ChunksOptions;
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #taker: BatchTaker;
  #work: Work | undefined;

  constructor(options: ChunksOptions) {
    const { pool, schema = "public", batchTimeoutMs } = options;
    this.#options = options;
    this.#pool = pool;
    this.#names = namesIn(schema);
    this.#taker = new BatchTaker({ pool, names: this.#names, timeoutMs: batchTimeoutMs });
  }

  async prepare(): Promise<void> {
    await doing("prepare the job", () => this.#prepared());
  }

  async take(max: number, signal: AbortSignal): Promise<TakenBatch | undefined> {
    return await doing("take rows", async () => {
      const batch = await this.#taker.take(await this.#prepared(), max, signal);
      if (batch !== undefined) return batch;
      return (await this.#isDone()) ? undefined : nothing;
    });
  }

  async backlog(): Promise<BulkBacklog> {
    await this.prepare();
    return await doing("count rows", () => jobBacklog(this.#pool, this.#names, this.#options.job));
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    await this.prepare();
    return await doing("read dead letters", () =>
      jobDeadLetters(this.#pool, this.#names, this.#options.job, limit),
    );
  }

  async retryDead(positions?: readonly string[]): Promise<number> {
    await this.prepare();
    return await doing("put dead letters back", () =>
      retryRows(this.#pool, this.#names, this.#options.job, positions),
    );
  }

  async #prepared(): Promise<Work> {
    if (this.#work !== undefined) return this.#work;
    const names = this.#names;
    await ensureBulkTables(this.#pool, names);
    const job = await ensureJob(this.#pool, names, this.#options);
    this.#work = {
      source: `job ${job.name}`,
      name: job.name,
      suspects: `select 'yes' from ${names.chunks} where job = $1 and done_at is null and tries > 0 limit 1`,
      lock: (transaction, isSuspect, max) => lockRows(transaction, names, job, isSuspect, max),
      blame: (client, attempt) => blameRows(client, names, job, attempt),
    };
    return this.#work;
  }

  async #isDone(): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `select 1 from ${this.#names.chunks} where job = $1 and done_at is null limit 1`,
      [this.#options.job],
    );
    return rows.length === 0;
  }
}
