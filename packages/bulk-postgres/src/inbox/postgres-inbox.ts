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
import { addInputs } from "./add-inputs.js";
import { blameInputs, inboxDeadLetters, retryInputs } from "./dead-inputs.js";
import { inboxBacklog } from "./inbox-backlog.js";
import { checkInboxOptions, type InboxOptions } from "./inbox-options.js";
import { takeInputs } from "./take-inputs.js";

/** Inputs that any program adds to a table, for `runWorker` of `@decern/bulk`. */
export interface PostgresInbox extends BulkSource {
  /** Creates the tables where they are missing; `take` does so as well. */
  prepare(): Promise<void>;
  /**
   * Adds inputs, all of them or none.
   *
   * @param inputs - values that JSON can carry
   * @param references - one for each input: comes back in the column `reference` of the results
   * @returns their positions
   * @throws DecernError `INVALID_OPTIONS` where an input has no JSON form, or the numbers of inputs and references differ
   */
  add(inputs: readonly unknown[], references?: readonly string[]): Promise<readonly string[]>;
  /** Counts up to 100,000 inputs; above that, it gives the span of their ids. */
  backlog(): Promise<BulkBacklog>;
  /** Inputs that were given up, the oldest first. @param limit - most to return; 100 by default */
  deadLetters(limit?: number): Promise<readonly DeadLetter[]>;
  /** Puts dead letters back. @param positions - which; all by default. @returns how many */
  retryDead(positions?: readonly string[]): Promise<number>;
}

/**
 * Makes a source of inputs in PostgreSQL. Results and progress are one transaction: each input is answered exactly once.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const source = postgresInbox({ pool: new Pool(), name: "loans" });
 */
export function postgresInbox(options: InboxOptions): PostgresInbox {
  checkInboxOptions(options);
  return new Inbox(options);
}

class Inbox implements PostgresInbox {
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #endsWhenEmpty: boolean;
  readonly #mostHeld: number;
  #held = 0;
  #isPrepared = false;

  constructor({
    pool,
    schema = "public",
    name,
    batchTimeoutMs = 60_000,
    endWhenEmpty = false,
  }: InboxOptions) {
    this.#pool = pool;
    this.#names = namesIn(schema);
    this.#name = name;
    this.#timeoutMs = batchTimeoutMs;
    this.#endsWhenEmpty = endWhenEmpty;
    this.#mostHeld = connectionsOf(pool) - 1;
    pool.on("error", ignore);
  }

  async prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await this.#doing("create tables", () => ensureLayout(this.#pool, this.#names));
    this.#isPrepared = true;
  }

  async add(inputs: readonly unknown[], references?: readonly string[]): Promise<readonly string[]> {
    await this.prepare();
    return await this.#doing("add inputs", () =>
      addInputs(this.#pool, this.#names, this.#name, inputs, references),
    );
  }

  async take(max: number): Promise<TakenBatch | undefined> {
    if (this.#held >= this.#mostHeld) return nothing;
    this.#held += 1;
    const batch = await this.#doing("take inputs", () => this.#take(max)).catch((error: unknown) => {
      this.#held -= 1;
      throw error;
    });
    if (batch.items.length > 0) return batch;
    this.#held -= 1;
    return this.#endsWhenEmpty && (await this.#isEmpty()) ? undefined : nothing;
  }

  async backlog(): Promise<BulkBacklog> {
    await this.prepare();
    return await this.#doing("count inputs", () => inboxBacklog(this.#pool, this.#names, this.#name));
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    await this.prepare();
    return await this.#doing("read dead letters", () =>
      inboxDeadLetters(this.#pool, this.#names, this.#name, limit),
    );
  }

  async retryDead(positions?: readonly string[]): Promise<number> {
    await this.prepare();
    return await this.#doing("put dead letters back", () =>
      retryInputs(this.#pool, this.#names, this.#name, positions),
    );
  }

  async #take(max: number): Promise<TakenBatch> {
    await this.prepare();
    const source = `inbox ${this.#name}`;
    const { rows } = await this.#pool.query(
      `select ${abandonedAttempts(this.#names, 2)} as abandoned,
        (select 'yes' from ${this.#names.inbox} where inbox = $1 and tries > 0 limit 1) as suspects`,
      [this.#name, source],
    );
    const abandoned = textOf(rows[0], "abandoned");
    if (abandoned !== null)
      await countTries(this.#pool, this.#names, abandoned, (client, attempt) =>
        blameInputs(client, this.#names, this.#name, attempt),
      );
    const hasSuspects = abandoned !== null || textOf(rows[0], "suspects") !== null;
    return await takeInTurn(hasSuspects, async (isSuspect, leave) => {
      let isHeld = false;
      const onEnd = (): void => {
        leave();
        if (isHeld) this.#held -= 1;
      };
      const options = { pool: this.#pool, names: this.#names, source, timeoutMs: this.#timeoutMs, onEnd };
      const transaction = await BatchTransaction.begin(options);
      const batch = await takeInputs(transaction, this.#names, this.#name, isSuspect, max);
      isHeld = batch !== undefined;
      return batch;
    });
  }

  async #isEmpty(): Promise<boolean> {
    const { rows } = await this.#pool.query(`select 1 from ${this.#names.inbox} where inbox = $1 limit 1`, [
      this.#name,
    ]);
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
