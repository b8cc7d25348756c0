import type { Logger } from "@decern/core";
import type { KeptDocument, RecordBatch, RecordWriter, SealedRecord } from "@decern/decision-log";
import { codeOf, type PostgresPool, type PostgresResult, storeError } from "../client/client.js";
import type { Names } from "../client/layout.js";
import { columnsOf, columnText, linesOf as lines, writeStatement } from "./columns.js";
import { dropOldMonths, ensureMonths } from "./months.js";

/** The chain of a store, as one opening of it found it. */
export interface OpenedChain {
  readonly id: string;
  /** How often it was opened. Earlier writers of the chain can no longer write. */
  readonly opened: string;
  readonly head: string | null;
}

/** Maximum bytes of one statement; a longer record is sent alone. */
const mostBytes = 4_000_000;

/** SQLSTATE for a row without a table for its month. */
const noMonth = "23514";

export class PostgresWriter implements RecordWriter {
  head: string | null;
  readonly #pool: PostgresPool;
  readonly #chain: OpenedChain;
  readonly #upkeep: Upkeep;
  readonly #statement: string;
  /** Keys of the documents that the database has. */
  readonly #known = new Set<string>();

  constructor(pool: PostgresPool, names: Names, chain: OpenedChain, upkeep: Upkeep) {
    this.head = chain.head;
    this.#pool = pool;
    this.#chain = chain;
    this.#upkeep = upkeep;
    this.#statement = writeStatement(names);
  }

  async write({ records, kept }: RecordBatch): Promise<void> {
    const unknown = [...kept.values()].filter(({ key }) => !this.#known.has(key));
    for (const [index, part] of partsOf(records).entries()) {
      await this.#writePart(part, index === 0 ? unknown : []);
    }
    for (const { key } of unknown) this.#known.add(key);
    this.#upkeep.look();
  }

  /** The connections belong to the pool. */
  async close(): Promise<void> {}

  async #writePart(records: readonly SealedRecord[], kept: readonly KeptDocument[]): Promise<void> {
    const head = records.at(-1)?.hash;
    if (head === undefined) return;
    const values = [
      this.#chain.id,
      this.#chain.opened,
      head,
      records.length,
      this.head,
      lines(kept.map(({ hash }) => hash)),
      lines(kept.map(({ mediaType }) => (mediaType === undefined ? "" : columnText(mediaType)))),
      lines(kept.map(({ text }) => text)),
      ...columnsOf(records),
    ];
    const { rowCount } = await this.#run(values).catch((error: unknown) => {
      throw storeError("write records", error);
    });
    if (rowCount !== records.length) {
      throw new Error("Another writer has continued this chain of records; open the store again");
    }
    this.head = head;
  }

  async #run(values: unknown[]): Promise<PostgresResult> {
    try {
      return await this.#pool.query(this.#statement, values);
    } catch (error) {
      if (codeOf(error) !== noMonth) throw error;
      // The month began long ago, but nothing created its table.
      await this.#upkeep.createMonths();
      return this.#pool.query(this.#statement, values);
    }
  }
}

function partsOf(records: readonly SealedRecord[]): readonly (readonly SealedRecord[])[] {
  const parts: SealedRecord[][] = [];
  let part: SealedRecord[] = [];
  let size = 0;
  for (const record of records) {
    if (part.length > 0 && size + record.bytes.length > mostBytes) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(record);
    size += record.bytes.length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

const dayMs = 86_400_000;

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

  async createMonths(): Promise<void> {
    await ensureMonths(this.#pool, this.#names, 1);
  }

  /** Does daily work, alongside writing. */
  look(): void {
    if (today() === this.#day) return;
    this.#day = today();
    this.#running = this.#running.then(() => this.#attempt(() => this.createMonths()));
    this.drop();
  }

  /** Drops old months, alongside writing. */
  drop(): void {
    const keepDays = this.#keepDays;
    if (keepDays === undefined) return;
    this.#running = this.#running.then(() =>
      this.#attempt(() => dropOldMonths(this.#pool, this.#names, keepDays, this.#logger)),
    );
  }

  settled(): Promise<void> {
    return this.#running;
  }

  /** Retries tomorrow: records are written in the meantime. */
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
