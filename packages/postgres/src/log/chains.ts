import { createHash } from "node:crypto";
import { isJsonObject } from "@decern/core/schema";
import type { StoredChain, StoredRecord } from "@decern/decision-log";
import {
  numberOf,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  textOf,
} from "../client/client.js";
import type { Names } from "../client/layout.js";
import { columnText, earliestMs } from "./columns.js";
import { storedText, stream } from "./find.js";

/** What a search goes by, as rows that are checked have it. */
const copyColumns = `records.record_id::text as record_id, request_id, caller, decision, version, status, rule, subject,
  round(extract(epoch from recorded_at) * 1000)::text as recorded_at`;

/** Names the columns of a row that are not as in the record. */
function wrongCopies(row: object, record: Readonly<Record<string, unknown>>): readonly string[] {
  const decision = isJsonObject(record["decision"]) ? record["decision"] : {};
  const right = {
    recorded_at: recordedMs(record["recordedAt"]),
    record_id: record["recordId"],
    request_id: copied(record["requestId"]),
    caller: copied(record["caller"]),
    decision: copied(decision["id"]),
    version: copied(decision["version"]),
    status: record["status"],
    rule: copied(record["matchedRule"]),
    subject: copied(record["subject"]),
  };
  return Object.entries(right).flatMap(([column, value]) =>
    textOf(row, column) === (value ?? null) ? [] : [column],
  );
}

function copied(value: unknown): unknown {
  return typeof value === "string" ? columnText(value) : value;
}

function recordedMs(recordedAt: unknown): unknown {
  return typeof recordedAt === "string" ? String(Math.max(Date.parse(recordedAt), earliestMs)) : recordedAt;
}

/** Most hashes that are remembered, in addition to those of one page. */
const maxRemembered = 100_000;

const hashes = /"((?:profile|content)Hash)":"(sha256:[0-9a-f]{64})"/g;

/** Which documents that records name are stored, and are what was hashed. */
class KnownDocuments {
  readonly #names: Names;
  readonly #known = new Map<string, boolean>();

  constructor(names: Names) {
    this.#names = names;
  }

  readonly profiles = { has: (hash: string) => this.#known.get(`profileHash ${hash}`) ?? false };
  readonly contents = { has: (hash: string) => this.#known.get(`contentHash ${hash}`) ?? false };

  /** Looks up what the rows of a page name. What a payload merely quotes does no harm. */
  async lookUp(client: PostgresClient, rows: readonly object[]): Promise<void> {
    if (this.#known.size > maxRemembered) this.#known.clear();
    const named = new Set<string>();
    for (const text of rows.flatMap((row) => [textOf(row, "record"), textOf(row, "payload")])) {
      for (const [, kind, hash] of (text ?? "").matchAll(hashes)) named.add(`${kind} ${hash}`);
    }
    const unknown = [...named].filter((key) => !this.#known.has(key));
    if (unknown.length === 0) return;
    for (const key of unknown) this.#known.set(key, false);
    const { rows: found } = await client.query(
      `select hash, media_type, profile from ${this.#names.profiles} where hash = any($1::text[])`,
      [unknown.map((key) => columnText(key.slice(key.indexOf(" ") + 1)))],
    );
    for (const row of found) {
      const hash = textOf(row, "hash") ?? "";
      const profile = createHash("sha256").update(textOf(row, "profile") ?? "");
      const kind = textOf(row, "media_type") === "" ? "profileHash" : "contentHash";
      this.#known.set(`${kind} ${hash}`, `sha256:${profile.digest("hex")}` === hash);
    }
  }
}

/** Every chain: those that were opened, and those that only records know of. */
export async function* chains(pool: PostgresPool, names: Names): AsyncGenerator<StoredChain, void> {
  for await (const row of stream(pool, { text: chainIds(names), values: [] })) {
    yield await readChain(pool, names, textOf(row, "id") ?? "");
  }
}

async function readChain(pool: PostgresPool, names: Names, id: string): Promise<StoredChain> {
  const { rows } = await pool.query(
    `select head, records::text as records, dropped::text as dropped from ${names.chains} where id = $1`,
    [id],
  );
  const [row] = rows;
  const records = row === undefined ? 0 : numberOf(row, "records");
  const dropped = row === undefined ? 0 : numberOf(row, "dropped");
  // All of its records went with the last month that was dropped: none may be there.
  const isEmpty = dropped === records;
  return {
    name: `chain ${id}`,
    head: isEmpty ? null : textOf(row, "head"),
    mayLackFirst: dropped > 0 && !isEmpty,
    records: readRecords(pool, names, id, records),
  };
}

/** The records up to the head that was read, then those that no head has ever counted: somebody else has put them there. */
async function* readRecords(
  pool: PostgresPool,
  names: Names,
  id: string,
  count: number,
): AsyncGenerator<StoredRecord, void> {
  const known = new KnownDocuments(names);
  const lookUp = (client: PostgresClient, rows: readonly object[]) => known.lookUp(client, rows);
  const { chains, records } = names;
  const statements: readonly Statement[] = [
    { text: select(records, "position <= $2::bigint"), values: [id, count] },
    {
      text: select(
        records,
        `position > coalesce((select chains.records from ${chains} chains where id = $1::bigint), 0)`,
      ),
      values: [id],
    },
  ];
  for (const statement of statements) {
    for await (const row of stream(pool, statement, lookUp)) {
      yield {
        at: `chain ${id}, position ${textOf(row, "position")}, record ${textOf(row, "record_id")}`,
        text: storedText(textOf(row, "record") ?? "", textOf(row, "payload")),
        profiles: known.profiles,
        contents: known.contents,
        wrongCopies: (record) => wrongCopies(row, record),
      };
    }
  }
}

function select(records: string, condition: string): string {
  return `select records.position::text as position, record, payload, ${copyColumns} from ${records} records
    where chain = $1::bigint and records.${condition} order by chain, records.position`;
}

/** Looks for the next chain in the index again and again, instead of reading all of it. */
function chainIds({ chains, records }: Names): string {
  return `with recursive known as (
      select min(chain) as id from ${records}
      union all
      select (select min(chain) from ${records} where chain > known.id) from known where known.id is not null
    )
    select id::text as id from (
      select id from ${chains} union select id from known where id is not null
    ) every order by every.id`;
}
