import type { BulkBacklog, BulkItem, BulkResult, BulkSource, TakenBatch } from "@decern/bulk";
import type { Checked } from "@decern/core/options";
import {
  ignore,
  inTransaction,
  numberOf,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  textOf,
} from "../client/client.js";
import { type Names, namesIn } from "../client/layout.js";
import { type Attempt, abandonedAttempts, BatchTransaction } from "./batch-transaction.js";
import type { sourceRows } from "./chunks-options.js";
import { doing } from "./statements.js";
import { enterPool, nothing, takeInTurn } from "./turns.js";

/** An input that was given up. */
export interface DeadLetter {
  readonly position: string;
  /** JSON text; `null` where the row is gone, or its input cannot be read. */
  readonly input: string | null;
  readonly tries: number;
  readonly reason: string;
  readonly diedAt: Date;
}

/** The differences between an inbox and a job. In its SQL, `$1` is `name`. */
export interface Work {
  readonly source: string;
  readonly name: string;
  /** Selects one row where inputs wait that were tried before. */
  readonly suspects: string;
  /** Selects a row where any input waits; `undefined` for a source that never ends. */
  readonly waiting: string | undefined;
  /** Selects `items`, `dead` and `seconds`. */
  readonly backlog: string;
  /** Selects up to `$2` of `position`, `input`, `tries`, `reason` and `died_at`. */
  readonly deadLetters: string;
  /** Puts dead letters back: those whose position is in `$2`, or all for NULL. */
  readonly retry: string;
  /** Locks the next inputs that no worker has. @returns `undefined` where there are none */
  lock(transaction: BatchTransaction, isSuspect: boolean, max: number): Promise<LockedBatch | undefined>;
  /** Counts a try of the inputs of an attempt whose worker has ended. */
  blame(client: PostgresClient, attempt: Attempt, reason: string | null): Promise<void>;
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

/** Takes batches: counts the tries of workers that ended, waits for a turn, locks inputs, and notes what it has. */
export class PostgresSource implements BulkSource {
  protected readonly pool: PostgresPool;
  protected readonly names: Names;
  readonly #items: "inputs" | "rows";
  readonly #timeoutMs: number;
  readonly #begin: (names: Names) => Promise<Work>;
  #work: Work | undefined;

  /**
   * @param items - what it has, for messages
   * @param begin - creates what is missing
   */
  constructor(
    { pool, schema, batchTimeoutMs }: Checked<typeof sourceRows>,
    items: "inputs" | "rows",
    begin: (names: Names) => Promise<Work>,
  ) {
    this.pool = pool;
    this.names = namesIn(schema);
    this.#timeoutMs = batchTimeoutMs;
    this.#items = items;
    this.#begin = begin;
    // Once, however many sources share it.
    pool.off("error", ignore);
    pool.on("error", ignore);
  }

  async prepare(): Promise<void> {
    await doing(`prepare the ${this.#items}`, () => this.#prepared());
  }

  async take(max: number, signal: AbortSignal): Promise<TakenBatch | undefined> {
    return await doing(`take ${this.#items}`, async () => {
      const work = await this.#prepared();
      const batch = await this.#take(work, max, signal);
      if (batch !== undefined || work.waiting === undefined) return batch ?? nothing;
      const { rows } = await this.pool.query(work.waiting, [work.name]);
      return rows.length === 0 ? undefined : nothing;
    });
  }

  async backlog(): Promise<BulkBacklog> {
    const [row] = await this.#query(`count ${this.#items}`, "backlog");
    const items = numberOf(row, "items");
    const oldestSeconds = items === 0 ? 0 : Math.max(0, numberOf(row, "seconds"));
    return { items, dead: numberOf(row, "dead"), oldestSeconds };
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    const rows = await this.#query("read dead letters", "deadLetters", limit);
    return rows.map((row) => ({
      position: textOf(row, "position") ?? "",
      input: textOf(row, "input"),
      tries: numberOf(row, "tries"),
      reason: textOf(row, "reason") ?? "",
      diedAt: new Date(numberOf(row, "died_ms")),
    }));
  }

  async retryDead(positions?: readonly string[]): Promise<number> {
    const list = positions === undefined ? null : [...positions];
    return (await this.#query("put dead letters back", "retry", list)).length;
  }

  async #query(
    what: string,
    statement: "backlog" | "deadLetters" | "retry",
    ...values: readonly unknown[]
  ): Promise<readonly object[]> {
    await this.prepare();
    return await doing(what, async () => {
      const work = await this.#prepared();
      return (await this.pool.query(work[statement], [work.name, ...values])).rows;
    });
  }

  async #prepared(): Promise<Work> {
    this.#work ??= await this.#begin(this.names);
    return this.#work;
  }

  /** @returns `undefined` where nothing waits but what others have */
  async #take(work: Work, max: number, signal: AbortSignal): Promise<TakenBatch | undefined> {
    const leavePool = enterPool(this.pool);
    if (leavePool === undefined) return nothing;
    let isTaken = false;
    try {
      const hasSuspects = await this.#countTries(work);
      return await takeInTurn(hasSuspects, signal, async (isSuspect, leaveTurn) => {
        const { pool, names } = this;
        const transaction = await BatchTransaction.begin({
          pool,
          names,
          timeoutMs: this.#timeoutMs,
          source: work.source,
          onEnd: () => {
            leaveTurn();
            if (isTaken) leavePool();
          },
        });
        const batch = await lockBatch(transaction, work, isSuspect, max);
        isTaken = batch !== undefined;
        return batch;
      });
    } finally {
      if (!isTaken) leavePool();
    }
  }

  /** @returns whether inputs wait that were tried before */
  async #countTries(work: Work): Promise<boolean> {
    const { rows } = await this.pool.query(
      `select ${abandonedAttempts(this.names, 2)} as abandoned, (select 'yes' from (${work.suspects}) as tried) as suspects`,
      [work.name, work.source],
    );
    const abandoned = textOf(rows[0], "abandoned");
    const isCounted = abandoned !== null && (await this.#blame(work, abandoned));
    return isCounted || textOf(rows[0], "suspects") !== null;
  }

  /**
   * Takes attempts out, and blames their inputs. An attempt that has been committed is not there any more; one from before the
   * database was stopped does not count.
   *
   * @returns whether any counted
   */
  #blame({ blame }: Work, ids: string): Promise<boolean> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query(
        `delete from ${this.names.attempts} where id = any(string_to_array($1, ',')::bigint[])
          returning array_to_string(ids, ',') as ids, chunk::text as chunk, after_key, last_key, items::text as items, reason,
            case when server_started = pg_postmaster_start_time() then 'yes' end as counts`,
        [ids],
      );
      const counting = rows.filter((row) => textOf(row, "counts") !== null);
      for (const row of counting) {
        const attempt = {
          ids: textOf(row, "ids"),
          chunk: textOf(row, "chunk"),
          afterKey: textOf(row, "after_key"),
          lastKey: textOf(row, "last_key"),
          items: numberOf(row, "items"),
        };
        await blame(client, attempt, textOf(row, "reason"));
      }
      return counting.length > 0;
    });
  }
}

async function lockBatch(
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
