import type { StoredChain, StoredRecord } from "@decern/core";
import type { Names } from "../names.js";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { numberOf, textOf } from "../row.js";
import { copyColumns, wrongCopies } from "./copies.js";
import type { Statement } from "./find-statement.js";
import { KnownProfiles } from "./known-profiles.js";
import { storedText } from "./stored-text.js";
import { stream } from "./stream.js";

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
  const profiles = new KnownProfiles(names);
  const lookUp = (client: PostgresClient, rows: readonly object[]) => profiles.lookUp(client, rows);
  for (const statement of [counted(names, id, count), uncounted(names, id)]) {
    for await (const row of stream(pool, statement, lookUp)) {
      yield {
        at: `chain ${id}, position ${textOf(row, "position")}, record ${textOf(row, "record_id")}`,
        text: storedText(textOf(row, "record") ?? "", textOf(row, "payload")),
        profiles,
        wrongCopies: (record) => wrongCopies(row, record),
      };
    }
  }
}

const columns = `records.position::text as position, record, payload, ${copyColumns}`;

function counted(names: Names, id: string, count: number): Statement {
  return {
    text: `select ${columns} from ${names.records} records
      where chain = $1::bigint and position <= $2::bigint order by chain, records.position`,
    values: [id, count],
  };
}

function uncounted(names: Names, id: string): Statement {
  return {
    text: `select ${columns} from ${names.records} records
      where chain = $1::bigint
        and records.position > coalesce((select chains.records from ${names.chains} chains where id = $1::bigint), 0)
      order by chain, records.position`,
    values: [id],
  };
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
