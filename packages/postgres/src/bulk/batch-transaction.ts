import { randomBytes } from "node:crypto";
import {
  beginning,
  giveBack,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  saidOf,
  takeClient,
  textOf,
} from "../client/client.js";
import type { Names } from "../client/layout.js";
import { bulkError, isAboutInputs, textSettings } from "./statements.js";

export interface Attempt {
  /** Ids of inputs of an inbox, separated by commas. */
  readonly ids?: string | null;
  /** A part of a chunk: its rows after one key, up to another. */
  readonly chunk?: string | null;
  readonly afterKey?: string | null;
  readonly lastKey?: string | null;
  readonly items: number;
}

/**
 * SQL for the ids of attempts whose worker has ended, separated by commas; NULL where there are none. An attempt holds the lock of
 * its id as long as its transaction lasts. One that was committed since this statement began may be among them.
 */
export function abandonedAttempts(names: Names, parameter: number): string {
  return `(select string_agg(id::text, ',') from ${names.attempts}
    where case when source = $${parameter} then pg_try_advisory_xact_lock(id) else false end)`;
}

interface BatchTransactionOptions {
  readonly pool: PostgresPool;
  readonly names: Names;
  readonly source: string;
  readonly timeoutMs: number;
  readonly onEnd: () => void;
}

/** The transaction that holds a batch until its results are stored, or others may take it. */
export class BatchTransaction {
  readonly client: PostgresClient;
  readonly id: string;
  readonly #options: BatchTransactionOptions;
  readonly #beganMs = performance.now();
  #isNoted = false;
  #isOver = false;
  #reason: string | undefined;

  private constructor(client: PostgresClient, id: string, options: BatchTransactionOptions) {
    this.client = client;
    this.id = id;
    this.#options = options;
  }

  static async begin(options: BatchTransactionOptions): Promise<BatchTransaction> {
    const client = await takeClient(options.pool);
    const id = randomBytes(8).readBigInt64BE().toString();
    const { timeoutMs } = options;
    try {
      // A queue's statistics are always wrong, and an index always right. The lock is from before the savepoint: a statement that
      // fails must not look like a worker that ended.
      await client.query(`${beginning}; ${textSettings};
        set local idle_in_transaction_session_timeout = ${timeoutMs}; set local statement_timeout = ${timeoutMs};
        set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_tidscan = on;
        select pg_advisory_xact_lock(${id}); savepoint taken`);
    } catch (error) {
      giveBack(client, true);
      throw error;
    }
    return new BatchTransaction(client, id, options);
  }

  /**
   * Notes what is about to be evaluated, outside of the transaction: the note survives a worker that dies.
   *
   * @returns false where the inputs were let go, because another worker ended just now: its attempt is counted first
   */
  async note({ ids, chunk, afterKey, lastKey, items }: Attempt): Promise<boolean> {
    const { pool, names, source } = this.#options;
    this.#isNoted = true;
    const { rows } = await pool.query(
      `with noted as (
        insert into ${names.attempts} (id, source, ids, chunk, after_key, last_key, items)
        values ($1, $2, string_to_array($3, ',')::bigint[], $4, $5, $6, $7)
      )
      select ${abandonedAttempts(names, 2)} as abandoned`,
      [this.id, source, ids ?? null, chunk ?? null, afterKey ?? null, lastKey ?? null, items],
    );
    if (textOf(rows[0], "abandoned") === null) return true;
    await this.release();
    return false;
  }

  /** Records why the inputs are to blame, if they are: releasing them then counts as a try. */
  blame(doing: string, error: unknown): void {
    if (isAboutInputs(error)) this.#reason = `${doing}: ${saidOf(error)}`;
  }

  /**
   * Stores results and ends the transaction, in which the attempt is deleted as well.
   *
   * @param make - makes a statement that reports as many rows as there are `items`
   */
  async commit(make: () => Statement, items: number): Promise<void> {
    if (this.#isOver) throw new Error("This batch was committed or released before");
    try {
      const { text, values } = make();
      const { rowCount } = await this.client.query(text, values);
      if (rowCount !== items) throw new Error(`${rowCount} results were stored instead of ${items}`);
      await this.client.query("commit");
    } catch (error) {
      this.blame("The result could not be stored", error);
      throw bulkError("store results", error);
    }
    this.#end(false);
  }

  /** Ends a transaction that changed nothing. */
  async leave(): Promise<void> {
    await this.client.query("commit");
    this.#end(false);
  }

  async release(): Promise<void> {
    if (this.#isOver) return;
    let isBroken = true;
    try {
      // While the lock is held, this does not count as a try.
      await this.client.query("rollback to savepoint taken").catch(() => this.#blameLateness());
      if (this.#isNoted) await this.#endAttempt();
      await this.client.query("rollback");
      isBroken = false;
    } catch {
      // Closing a connection also releases its inputs. At worst, the attempt counts as a try.
    } finally {
      this.#end(isBroken);
    }
  }

  /** Without a reason, the attempt does not count. */
  async #endAttempt(): Promise<void> {
    const { pool, names } = this.#options;
    if (this.#reason === undefined)
      await pool.query(`delete from ${names.attempts} where id = $1`, [this.id]);
    else await pool.query(`update ${names.attempts} set reason = $2 where id = $1`, [this.id, this.#reason]);
  }

  /** PostgreSQL ends the connection of a worker that holds a batch for too long. A smaller batch may take less. */
  #blameLateness(): void {
    const { timeoutMs } = this.#options;
    if (performance.now() - this.#beganMs >= timeoutMs)
      this.#reason ??= `The worker had the input for longer than ${timeoutMs} ms`;
  }

  #end(isBroken: boolean): void {
    this.#isOver = true;
    giveBack(this.client, isBroken);
    this.#options.onEnd();
  }
}
