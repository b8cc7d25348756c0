import { randomUUID } from "node:crypto";
import type { DecisionRecord, Logger, LogicContent } from "@decern/core";
import {
  type Checked,
  checkedOptions,
  feature,
  kinds,
  type OptionsOf,
  option,
  requiredOption,
} from "@decern/core/options";
import type { RecordStore, RecordWriter, StoredChain, StoredQuery, StoreStats } from "@decern/decision-log";
import { exists, ignore, numberOf, type PostgresPool, storeError, textOf } from "../client/client.js";
import { ensureLayout, type Names, namesIn } from "../client/layout.js";
import { poolKind, schemaRows } from "../client/option-kinds.js";
import { chains } from "./chains.js";
import { columnText } from "./columns.js";
import { erase, erasures } from "./erase.js";
import { find } from "./find.js";
import { logLayout } from "./layout.js";
import { type OpenedChain, PostgresWriter, Upkeep } from "./postgres-writer.js";

const rows = {
  /**
   * A `pg.Pool`, or anything like it.
   *
   * It stays yours: close it after the log.
   */
  pool: requiredOption(poolKind),
  ...schemaRows,
  /**
   * See [retention](https://github.com/decern/decern/blob/main/packages/postgres/README.md#retention).
   *
   * Days that records are kept, at least: they are dropped by whole months of writing.
   * @default unlimited
   */
  keepDays: option(kinds.wholeNumber),
};

/** Options of `postgres`. */
export interface PostgresOptions extends OptionsOf<typeof rows> {}

/** Counts from chains and indexes: it does not read the records. */
async function stats(pool: PostgresPool, { chains, profiles, records }: Names): Promise<StoreStats> {
  const { rows } = await pool.query(
    `select
      (select coalesce(sum(records - dropped), 0) from ${chains})::text as records,
      (select count(*) from ${records} where payload is null)::text as without_payload,
      (select extract(epoch from min(recorded_at)) * 1000 from ${records})::text as oldest,
      (select extract(epoch from max(recorded_at)) * 1000 from ${records})::text as newest,
      (select coalesce(sum(pg_total_relation_size(relid)), 0) from pg_partition_tree($1::text::regclass))::text as record_bytes,
      pg_total_relation_size($2::text::regclass)::text as profile_bytes`,
    [records, profiles],
  );
  const [row] = rows;
  return {
    records: numberOf(row, "records"),
    oldest: dateOf(textOf(row, "oldest")),
    newest: dateOf(textOf(row, "newest")),
    bytes: numberOf(row, "record_bytes") + numberOf(row, "profile_bytes"),
    withoutPayload: numberOf(row, "without_payload"),
  };
}

function documentOf(row: object | undefined): unknown {
  const text = textOf(row, "profile");
  return text === null ? undefined : JSON.parse(text);
}

function dateOf(ms: string | null): Date | undefined {
  return ms === null ? undefined : new Date(Math.round(Number(ms)));
}

/**
 * Keeps records in PostgreSQL. Give it to `decisionLog` of `@decern/decision-log`.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 * @example
 * const log = decisionLog({ store: postgres({ pool: new Pool(), keepDays: 800 }) });
 */
export function postgres(options: PostgresOptions): RecordStore {
  return new PostgresStore(checkedOptions("postgres", options, rows));
}

class PostgresStore implements RecordStore {
  readonly [feature] = "record-store" as const;
  readonly #pool: PostgresPool;
  readonly #names: Names;
  readonly #keepDays: number | undefined;
  /** Names the chain of this object, which continues when the store is opened again. */
  readonly #token = randomUUID();
  #isCreated = false;
  #upkeep: Upkeep | undefined;

  constructor({ pool, schema, keepDays }: Checked<typeof rows>) {
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
    return documentOf(await this.#kept(hash, "media_type = ''"));
  }

  async content(hash: string): Promise<LogicContent | undefined> {
    if (!(await this.#hasTables())) return undefined;
    const row = await this.#kept(hash, "media_type <> ''");
    const mediaType = textOf(row, "media_type");
    return mediaType === null ? undefined : { hash, mediaType, document: documentOf(row) };
  }

  async *chains(): AsyncGenerator<StoredChain, void> {
    if (await this.#hasTables()) yield* chains(this.#pool, this.#names);
  }

  async *erasures(): AsyncGenerator<StoredChain, void> {
    if (await this.#hasTables()) yield* erasures(this.#pool, this.#names);
  }

  async erase(subjects: readonly string[]): Promise<number> {
    if (!(await this.#hasTables())) return 0;
    await ensureLayout(this.#pool, this.#names, logLayout);
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

  /** Before the first opening there is nothing to find, which isn't an error. */
  async #hasTables(): Promise<boolean> {
    this.#isCreated ||= await exists(this.#pool, this.#names.records);
    return this.#isCreated;
  }

  async #kept(hash: string, condition: string): Promise<object | undefined> {
    const { rows } = await this.#pool.query(
      `select media_type, profile from ${this.#names.profiles} where hash = $1 and ${condition} limit 1`,
      [columnText(hash)],
    );
    return rows[0];
  }

  #listen(): void {
    this.#pool.off("error", ignore);
    this.#pool.on("error", ignore);
  }

  /** Incrementing `opened` waits for a running statement, and prevents earlier writers from writing. */
  async #openChain(upkeep: Upkeep): Promise<OpenedChain> {
    await ensureLayout(this.#pool, this.#names, logLayout);
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
