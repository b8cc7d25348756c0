import type { BulkBacklog, BulkSource, TakenBatch } from "@decern/bulk";
import { checkedOptions, kinds, type OptionsOf, optionWith, requiredOption } from "@decern/core/tools";
import type { PostgresPool } from "../client/client.js";
import { type Names, namesIn } from "../client/names.js";
import { nameKind } from "../client/option-kinds.js";
import { BatchTaker, type Work } from "./batch-taker.js";
import { sourceRows } from "./chunks-options.js";
import { doing } from "./errors.js";
import { addInputs, blameInputs, inboxBacklog, inboxDeadLetters, retryInputs } from "./inbox-inputs.js";
import type { DeadLetter } from "./inputs.js";
import { ensureBulkTables } from "./layout.js";
import { lockInputs } from "./lock-inputs.js";
import { nothing } from "./turns.js";

const rows = {
  ...sourceRows,
  /** The inbox, as in the tables' column `inbox`. */
  name: requiredOption(nameKind),
  /** Ends when the inbox is empty, and so does the worker. @default false */
  endWhenEmpty: optionWith(kinds.flag, false),
};

/** Options of `postgresInbox`. */
export interface InboxOptions extends OptionsOf<typeof rows> {}

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
 * Makes a source of inputs in PostgreSQL. Results and progress are one transaction: each input is evaluated exactly once.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const source = postgresInbox({ pool: new Pool(), name: "loans" });
 */
export function postgresInbox(options: InboxOptions): PostgresInbox {
  return new Inbox(checkedOptions("postgresInbox", options, rows));
}

class Inbox implements PostgresInbox {
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #name: string;
  readonly #endsWhenEmpty: boolean;
  readonly #taker: BatchTaker;
  readonly #work: Work;
  #isPrepared = false;

  constructor({ pool, schema = "public", name, batchTimeoutMs, endWhenEmpty = false }: InboxOptions) {
    const names = namesIn(schema);
    this.#pool = pool;
    this.#names = names;
    this.#name = name;
    this.#endsWhenEmpty = endWhenEmpty;
    this.#taker = new BatchTaker({ pool, names, timeoutMs: batchTimeoutMs });
    this.#work = {
      source: `inbox ${name}`,
      name,
      // In order, or a planner without statistics reads the whole table to find none.
      suspects: `select 'yes' from ${names.inbox} where inbox = $1 and tries > 0 order by id limit 1`,
      lock: (transaction, isSuspect, max) => lockInputs(transaction, names, name, isSuspect, max),
      blame: (client, attempt) => blameInputs(client, names, name, attempt),
    };
  }

  async prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await doing("create tables", () => ensureBulkTables(this.#pool, this.#names));
    this.#isPrepared = true;
  }

  async add(inputs: readonly unknown[], references?: readonly string[]): Promise<readonly string[]> {
    await this.prepare();
    return await doing("add inputs", () =>
      addInputs(this.#pool, this.#names, this.#name, inputs, references),
    );
  }

  async take(max: number, signal: AbortSignal): Promise<TakenBatch | undefined> {
    await this.prepare();
    return await doing("take inputs", async () => {
      const batch = await this.#taker.take(this.#work, max, signal);
      if (batch !== undefined || !this.#endsWhenEmpty) return batch ?? nothing;
      return (await this.#isEmpty()) ? undefined : nothing;
    });
  }

  async backlog(): Promise<BulkBacklog> {
    await this.prepare();
    return await doing("count inputs", () => inboxBacklog(this.#pool, this.#names, this.#name));
  }

  async deadLetters(limit = 100): Promise<readonly DeadLetter[]> {
    await this.prepare();
    return await doing("read dead letters", () =>
      inboxDeadLetters(this.#pool, this.#names, this.#name, limit),
    );
  }

  async retryDead(positions?: readonly string[]): Promise<number> {
    await this.prepare();
    return await doing("put dead letters back", () =>
      retryInputs(this.#pool, this.#names, this.#name, positions),
    );
  }

  async #isEmpty(): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `select 1 from ${this.#names.inbox} where inbox = $1 order by id limit 1`,
      [this.#name],
    );
    return rows.length === 0;
  }
}
