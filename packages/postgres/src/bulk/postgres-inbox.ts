import type { BulkBacklog, BulkSource } from "@decern/bulk";
import {
  type Checked,
  checkedOptions,
  kinds,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/options";
import { nameKind } from "../client/option-kinds.js";
import { sourceRows } from "./chunks-options.js";
import { addInputs, inboxWork } from "./inbox-work.js";
import { ensureBulkTables } from "./layout.js";
import { type DeadLetter, PostgresSource } from "./source.js";
import { doing } from "./statements.js";

const rows = {
  ...sourceRows,
  /**
   * The inbox.
   *
   * As in the column `inbox`.
   */
  name: requiredOption(nameKind),
  /** Stops when it is empty. @default false */
  endWhenEmpty: option(kinds.flag, false),
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

class Inbox extends PostgresSource implements PostgresInbox {
  readonly #name: string;

  constructor(options: Checked<typeof rows>) {
    const { pool, name, endWhenEmpty } = options;
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
