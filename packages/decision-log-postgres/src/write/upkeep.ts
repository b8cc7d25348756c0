import type { Logger } from "@decern/core";
import { ensureMonths } from "../layout/months.js";
import { dropOldMonths } from "../layout/retention.js";
import type { Names } from "../names.js";
import type { PostgresPool } from "../pool.js";
import { storeError } from "./store-error.js";

const dayMs = 86_400_000;

/** Creates tables of months before they are needed, and drops those that are too old. */
export class Upkeep {
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #keepDays: number | undefined;
  readonly #logger: Required<Logger>;
  #day: number;
  #running: Promise<void> = Promise.resolve();

  constructor(pool: PostgresPool, names: Names, keepDays: number | undefined, logger: Required<Logger>) {
    this.#pool = pool;
    this.#names = names;
    this.#keepDays = keepDays;
    this.#logger = logger;
    this.#day = today();
  }

  /** Creates the tables of this month and the next. */
  async createMonths(): Promise<void> {
    await ensureMonths(this.#pool, this.#names, 1);
  }

  /** Does what is due once a day, beside the writing. */
  look(): void {
    if (today() === this.#day) return;
    this.#day = today();
    this.#running = this.#running.then(() => this.#attempt(() => this.createMonths()));
    this.drop();
  }

  /** Drops what is too old, beside the writing. */
  drop(): void {
    const keepDays = this.#keepDays;
    if (keepDays === undefined) return;
    this.#running = this.#running.then(() =>
      this.#attempt(() => dropOldMonths(this.#pool, this.#names, keepDays, this.#logger)),
    );
  }

  /** Resolves once nothing runs. */
  settled(): Promise<void> {
    return this.#running;
  }

  /** What fails is tried again tomorrow: records are written meanwhile. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message } = storeError("create or drop the tables of a month", error);
      this.#logger.warn({ reason: message }, "Decision log: upkeep failed");
    }
  }
}

function today(): number {
  return Math.floor(Date.now() / dayMs);
}
