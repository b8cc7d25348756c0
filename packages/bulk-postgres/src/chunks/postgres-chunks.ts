import type { BulkBacklog, BulkSource, TakenBatch } from "@decern/core";
import { abandonedAttempts, countTries } from "../attempts/attempts.js";
import { BatchTransaction } from "../batch/batch-transaction.js";
import { nothing, takeInTurn } from "../batch/take-in-turn.js";
import type { DeadLetter } from "../dead-letter.js";
import { ensureLayout } from "../layout/migrate.js";
import { type Names, namesIn } from "../names.js";
import { connectionsOf } from "../option-kinds.js";
import type { PostgresPool } from "../pool.js";
import { textOf } from "../row.js";
import { storeError } from "../store-error.js";
import { ignore } from "../with-client.js";
import { type ChunksOptions, checkChunksOptions } from "./chunks-options.js";
import { blameRows, jobDeadLetters, retryRows } from "./dead-rows.js";
import { ensureJob, type Job } from "./ensure-job.js";
import { jobBacklog } from "./job-backlog.js";
import { takeRows } from "./take-rows.js";

/** The rows of a table as inputs, for `runWorker` of `@decern/bulk`. It ends once every row has its answer. */
export interface PostgresChunks extends BulkSource {
  /**
   * Creates the tables and the job where they are missing; `take` does so as well. Call it first: a worker would try again and
   * again what is refused here.
   *
   * @throws DecernError `INVALID_OPTIONS` (rejects with it) where the table or its key cannot be used, or where the job exists with
   * another table, key, input, revision or `now`
   */
  prepare(): Promise<void>;
  /** Rows without an answer, from the counts of the chunks. */
  backlog(): Promise<BulkBacklog>;
  /** Rows that were given up. @param limit - most to return; 100 by default */
  deadLetters(limit?: number): Promise<readonly DeadLetter[]>;
  /** Has dead letters answered after all, as the table has them now. @param positions - which; all by default. @returns how many */
  retryDead(positions?: readonly string[]): Promise<number>;
}

/**
 * Makes a source of the rows of a table, which it divides into ranges of their key. Results and progress are one transaction: each
 * row is answered exactly once.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const source = postgresChunks({ pool: new Pool(), job: "march", table: "loans", key: "id", revision: loanApproval });
 */
export function postgresChunks(options: ChunksOptions): PostgresChunks {
  checkChunksOptions(options);
  return new Chunks(options);
}

class Chunks implements PostgresChunks {
  readonly #options: ChunksOptions;
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #mostHeld: number;
  #held = 0;
  #job: Job | undefined;

  constructor(options: ChunksOptions) {
    this.#options = options;
    this.#pool = options.pool;
    this.#names = namesIn(options.schema ?? "public");
    this.#mostHeld = connectionsOf(options.pool) - 1;
    options.pool.on("error", ignore);
  }

  async prepare(): Promise<void> {
    await this.#doing("prepare the job", () => this.#prepared());
  }

  async take(max: number): Promise<TakenBatch | undefined> {
    if (this.#held >= this.#mostHeld) return nothing;
    this.#held += 1;
    const batch = await this.#doing("take rows", () => this.#take(max)).catch((error: unknown) => {
      this.#held -= 1;
      throw error;
    });
    if (batch.items.length > 0) return batch;
    this.#held -= 1;
    return (await this.#isDone()) ? undefined : nothing;
  }

  async backlog(): Promise<BulkBacklog> {
    return await this.#doing("count rows", async () => {
      await this.#prepared();
      return await jobBacklog(this.#pool, this.#names, this.#options.job);
    });
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    return await this.#doing("read dead letters", async () => {
      await this.#prepared();
      return await jobDeadLetters(this.#pool, this.#names, this.#options.job, limit);
    });
  }

  async retryDead(positions?: readonly string[]): Promise<number> {
    return await this.#doing("put dead letters back", async () => {
      await this.#prepared();
      return await retryRows(this.#pool, this.#names, this.#options.job, positions);
    });
  }

  async #prepared(): Promise<Job> {
    if (this.#job !== undefined) return this.#job;
    await ensureLayout(this.#pool, this.#names);
    this.#job = await ensureJob(this.#pool, this.#names, this.#options);
    return this.#job;
  }

  async #take(max: number): Promise<TakenBatch> {
    const job = await this.#prepared();
    const source = `job ${job.name}`;
    const { rows } = await this.#pool.query(
      `select ${abandonedAttempts(this.#names, 2)} as abandoned,
        (select 'yes' from ${this.#names.chunks} where job = $1 and done_at is null and tries > 0 limit 1) as suspects`,
      [job.name, source],
    );
    const abandoned = textOf(rows[0], "abandoned");
    if (abandoned !== null)
      await countTries(this.#pool, this.#names, abandoned, (client, attempt) =>
        blameRows(client, this.#names, job, attempt),
      );
    const hasSuspects = abandoned !== null || textOf(rows[0], "suspects") !== null;
    return await takeInTurn(hasSuspects, async (isSuspect, leave) => {
      let isHeld = false;
      const onEnd = (): void => {
        leave();
        if (isHeld) this.#held -= 1;
      };
      const timeoutMs = this.#options.batchTimeoutMs ?? 60_000;
      const options = { pool: this.#pool, names: this.#names, source, timeoutMs, onEnd };
      const transaction = await BatchTransaction.begin(options);
      const batch = await takeRows(transaction, this.#names, job, isSuspect, max);
      isHeld = batch !== undefined;
      return batch;
    });
  }

  async #isDone(): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `select 1 from ${this.#names.chunks} where job = $1 and done_at is null limit 1`,
      [this.#options.job],
    );
    return rows.length === 0;
  }

  async #doing<Value>(doing: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw storeError(doing, error);
    }
  }
}
