import { randomBytes } from "node:crypto";
import {
  beginning,
  giveBack,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  saidOf,
  takeClient,
} from "../client/client.js";
import type { Names } from "../client/names.js";
import { type Attempt, endAttempt, noteAttempt } from "./attempts.js";
import { bulkError, isAboutInputs } from "./errors.js";

/**
 * Settings of a transaction in which keys and inputs read the same as text in every process, and every row is seen: where row-level
 * security would hide some, PostgreSQL refuses the query. A row that a worker cannot see would pass for deleted.
 */
export const textSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex';
  set local row_security = off`;

interface BatchTransactionOptions {
  readonly pool: PostgresPool;
  readonly names: Names;
  readonly source: string;
  readonly timeoutMs: number;
  /** Called once, at the end. */
  readonly onEnd: () => void;
}

/** The transaction that has a batch, from taking it until its results are stored or others may take it. */
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
   * Notes what is about to be evaluated.
   *
   * @returns false where the inputs were let go, because another worker ended just now: its attempt is counted first
   */
  async note(attempt: Attempt): Promise<boolean> {
    const { pool, names, source } = this.#options;
    this.#isNoted = true;
    if (!(await noteAttempt(pool, names, this.id, source, attempt))) return true;
    await this.release();
    return false;
  }

  /** Says why the inputs are to blame, where they are: then it counts as a try that they are released. */
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

  /** Ends a transaction that changed no input. */
  async leave(): Promise<void> {
    await this.client.query("commit");
    this.#end(false);
  }

  /** Lets others take the inputs. */
  async release(): Promise<void> {
    if (this.#isOver) return;
    let isBroken = true;
    try {
      // While the lock is held, no worker counts this as a try.
      await this.client.query("rollback to savepoint taken").catch(() => this.#blameLateness());
      const { pool, names } = this.#options;
      if (this.#isNoted) await endAttempt(pool, names, this.id, this.#reason);
      await this.client.query("rollback");
      isBroken = false;
    } catch {
      // Closing a connection releases its inputs as well. At worst, the attempt counts as a try.
    } finally {
      this.#end(isBroken);
    }
  }

  /** PostgreSQL ends the connection of a worker that has a batch for too long. A smaller batch may be done in time. */
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
