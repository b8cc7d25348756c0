import { randomUUID } from "node:crypto";
import type {
  DecisionRecord,
  Logger,
  RecordStore,
  RecordWriter,
  StoredChain,
  StoredQuery,
  StoreStats,
} from "@decern/core";
import { feature } from "@decern/core/tools";
import { columnText } from "./column-text.js";
import { erase, erasures } from "./erase.js";
import { ensureLayout, isCreated } from "./layout/migrate.js";
import { type Names, namesIn } from "./names.js";
import { checkPostgresOptions, type PostgresOptions } from "./options.js";
import type { PostgresPool } from "./pool.js";
import { chains } from "./read/chains.js";
import { find } from "./read/find.js";
import { stats } from "./read/stats.js";
import { textOf } from "./row.js";
import { ignore } from "./with-client.js";
import { type OpenedChain, PostgresWriter } from "./write/postgres-writer.js";
import { storeError } from "./write/store-error.js";
import { Upkeep } from "./write/upkeep.js";

/**
 * Keeps records in PostgreSQL. Give it to `decisionLog` of `@decern/decision-log`.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const log = decisionLog({ store: postgres({ pool: new Pool(), keepDays: 800 }) });
 */
export function postgres(options: PostgresOptions): RecordStore {
  checkPostgresOptions(options);
  return new PostgresStore(options);
}

class PostgresStore implements RecordStore {
  readonly [feature] = "record-store" as const;
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #keepDays: number | undefined;
  /** Names the chain of this object, which goes on when the store is opened again. */
  readonly #token = randomUUID();
  #isCreated = false;
  #upkeep: Upkeep | undefined;

  constructor({ pool, schema = "public", keepDays }: PostgresOptions) {
    this.#pool = pool;
    this.#names = namesIn(schema);
    this.#keepDays = keepDays;
    pool.on("error", ignore);
  }

  async open({ logger }: { readonly logger: Required<Logger> }): Promise<RecordWriter> {
    this.#listen();
    const upkeep = new Upkeep(this.#pool, this.#names, this.#keepDays, logger);
    this.#upkeep = upkeep;
    const chain = await this.#openChain(upkeep).catch((error: unknown) => {
      throw storeError("open the decision log", error);
    });
    upkeep.drop();
    return new PostgresWriter(this.#pool, this.#names, chain, upkeep);
  }

  async *find(query: StoredQuery): AsyncGenerator<DecisionRecord, void> {
    if (await this.#hasTables()) yield* find(this.#pool, this.#names, query);
  }

  async profile(hash: string): Promise<unknown> {
    if (!(await this.#hasTables())) return undefined;
    const { rows } = await this.#pool.query(`select profile from ${this.#names.profiles} where hash = $1`, [
      columnText(hash),
    ]);
    const text = textOf(rows[0], "profile");
    return text === null ? undefined : JSON.parse(text);
  }

  async *chains(): AsyncGenerator<StoredChain, void> {
    if (await this.#hasTables()) yield* chains(this.#pool, this.#names);
  }

  async *erasures(): AsyncGenerator<StoredChain, void> {
    if (await this.#hasTables()) yield* erasures(this.#pool, this.#names);
  }

  async erase(subjects: readonly string[]): Promise<number> {
    if (!(await this.#hasTables())) return 0;
    await ensureLayout(this.#pool, this.#names);
    return erase(this.#pool, this.#names, subjects);
  }

  async stats(): Promise<StoreStats> {
    if (await this.#hasTables()) return stats(this.#pool, this.#names);
    return { records: 0, bytes: 0, withoutPayload: 0 };
  }

  async close(): Promise<void> {
    await this.#upkeep?.settled();
    this.#pool.off("error", ignore);
  }

  /** Before the store is opened for the first time there is nothing to find, which is no error. */
  async #hasTables(): Promise<boolean> {
    this.#isCreated ||= await isCreated(this.#pool, this.#names);
    return this.#isCreated;
  }

  #listen(): void {
    this.#pool.off("error", ignore);
    this.#pool.on("error", ignore);
  }

  /** Counts the opening up: that waits for a statement that is still under way, and no earlier writer can write after it. */
  async #openChain(upkeep: Upkeep): Promise<OpenedChain> {
    await ensureLayout(this.#pool, this.#names);
    await upkeep.createMonths();
    const { rows } = await this.#pool.query(
      `insert into ${this.#names.chains} as chain (token) values ($1)
        on conflict (token) do update set opened = chain.opened + 1
        returning id::text as id, opened::text as opened, head`,
      [this.#token],
    );
    const [row] = rows;
    return { id: textOf(row, "id") ?? "", opened: textOf(row, "opened") ?? "", head: textOf(row, "head") };
  }
}
