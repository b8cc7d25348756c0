import type { BulkItem, BulkResult, TakenBatch } from "@decern/bulk";
import { ignore, type PostgresClient, type PostgresPool, type Statement, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import { type Attempt, abandonedAttempts, countTries, type FailedAttempt } from "./attempts.js";
import { BatchTransaction } from "./batch-transaction.js";
import { enterPool, nothing, takeInTurn } from "./turns.js";

/** What workers take inputs from: what an inbox and a job each do in their own way. */
export interface Work {
  /** Names it among the attempts. */
  readonly source: string;
  /** Parameter `$1` of {@link suspects}. */
  readonly name: string;
  /** SQL for `'yes'` where inputs wait that were tried before. */
  readonly suspects: string;
  /** Locks the next inputs that no worker has. @returns `undefined` where there are none */
  lock(transaction: BatchTransaction, isSuspect: boolean, max: number): Promise<LockedBatch | undefined>;
  /** Counts a try of the inputs of an attempt that failed. */
  blame(client: PostgresClient, attempt: FailedAttempt): Promise<void>;
}

/** Inputs that a transaction has locked. */
export interface LockedBatch {
  readonly items: readonly BulkItem[];
  readonly epochMs?: number | undefined;
  /** How to find them again after the worker has died. */
  readonly attempt: Attempt;
  /** Makes the statement that stores results and progress. It reports as many rows as there are items. */
  store(results: readonly BulkResult[]): Statement;
}

interface BatchTakerOptions {
  readonly pool: PostgresPool;
  readonly names: Names;
  /** How long a worker may have a batch. @default 60000 */
  readonly timeoutMs: number | undefined;
}

/** Takes batches: counts the tries of workers that ended, waits for a turn, locks inputs, and notes what it has. */
export class BatchTaker {
  readonly #options: BatchTakerOptions;

  constructor(options: BatchTakerOptions) {
    this.#options = options;
    // Once, however many sources share it.
    options.pool.off("error", ignore);
    options.pool.on("error", ignore);
  }

  /** @returns `undefined` where nothing waits but what others have */
  async take(work: Work, max: number, signal: AbortSignal): Promise<TakenBatch | undefined> {
    const leavePool = enterPool(this.#options.pool);
    if (leavePool === undefined) return nothing;
    let isTaken = false;
    try {
      const hasSuspects = await this.#countTries(work);
      return await takeInTurn(hasSuspects, signal, async (isSuspect, leaveTurn) => {
        const onEnd = (): void => {
          leaveTurn();
          if (isTaken) leavePool();
        };
        const { pool, names, timeoutMs = 60_000 } = this.#options;
        const transaction = await BatchTransaction.begin({
          pool,
          names,
          timeoutMs,
          source: work.source,
          onEnd,
        });
        const batch = await take(transaction, work, isSuspect, max);
        isTaken = batch !== undefined;
        return batch;
      });
    } finally {
      if (!isTaken) leavePool();
    }
  }

  /** @returns whether inputs wait that were tried before */
  async #countTries({ source, name, suspects, blame }: Work): Promise<boolean> {
    const { pool, names } = this.#options;
    const { rows } = await pool.query(
      `select ${abandonedAttempts(names, 2)} as abandoned, (${suspects}) as suspects`,
      [name, source],
    );
    const abandoned = textOf(rows[0], "abandoned");
    const isCounted = abandoned !== null && (await countTries(pool, names, abandoned, blame));
    return isCounted || textOf(rows[0], "suspects") !== null;
  }
}

async function take(
  transaction: BatchTransaction,
  work: Work,
  isSuspect: boolean,
  max: number,
): Promise<TakenBatch | undefined> {
  try {
    const locked = await work.lock(transaction, isSuspect, max);
    if (locked === undefined) {
      await transaction.leave();
      return undefined;
    }
    const { items, epochMs, attempt } = locked;
    if (!(await transaction.note(attempt))) return undefined;
    return {
      items,
      epochMs,
      commit: (results) => transaction.commit(() => locked.store(results), items.length),
      release: () => transaction.release(),
    };
  } catch (error) {
    await transaction.release().catch(() => {});
    throw error;
  }
}
