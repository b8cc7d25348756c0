import type { BulkBacklog, BulkSource } from "@decern/bulk";
import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
import type { PostgresPool } from "../client/client.js";
import { nameKind, roomyPoolKind, schemaKind } from "../client/option-kinds.js";
import { addInputs, inboxWork } from "./inbox-work.js";
import { ensureBulkTables } from "./layout.js";
import { type DeadLetter, PostgresSource } from "./source.js";
import { doing } from "./statements.js";

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
  pool: roomyPoolKind,
  schema: schemaKind,
  name: nameKind,
  batchTimeoutMs: optionKinds.wholeNumber,
  endWhenEmpty: optionKinds.flag,
};

/** @throws DecernError `INVALID_OPTIONS` with every problem */
function checkInboxOptions(options: InboxOptions): void {
  checkOptions("postgresInbox", options, { kinds, required: ["pool", "name"] });
}

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

class Inbox extends PostgresSource implements PostgresInbox {
  readonly #name: string;

  constructor(options: InboxOptions) {
    const { pool, name, endWhenEmpty = false } = options;
    super(options, "inputs", async (names) => {
      await ensureBulkTables(pool, names);
      return inboxWork(names, name, endWhenEmpty);
    });
    this.#name = name;
  }

  async add(inputs: readonly unknown[], references?: readonly string[]): Promise<readonly string[]> {
    await this.prepare();
    return await doing("add inputs", () => addInputs(this.pool, this.names, this.#name, inputs, references));
  }
}
