import type { DecisionRecord } from "@decern/core";
import { readRecord } from "@decern/core/tools";
import type { StoredQuery } from "@decern/decision-log";
import {
  giveBack,
  type PostgresClient,
  type PostgresPool,
  type Statement,
  takeClient,
  textOf,
} from "../client/client.js";
import type { Names } from "../client/layout.js";
import { columnText, earliestMs } from "./columns.js";

const emptied = '"payload":null,"payloadHash":';

/**
 * A record with its payload put back. The members of a record are in the order of their names, and a quotation mark within a text
 * is escaped, so that there is one place for it.
 *
 * @param payload - `null` when it was erased
 */
export function storedText(record: string, payload: string | null): string {
  if (payload === null) return record;
  const at = record.indexOf(emptied);
  // Without that place, somebody has changed the record: no payload makes it what it was.
  if (at < 0) return record;
  return `${record.slice(0, at)}"payload":${payload},${record.slice(at + emptied.length - '"payloadHash":'.length)}`;
}

/** Rows that are fetched together. */
const pageSize = 500;

/**
 * Streams the rows of a statement through a cursor: neither side holds more than a page. The connection goes back to the pool with
 * the last page, so that a search with few results keeps none while its reader works.
 *
 * @param onPage - looks up what a page needs, on the same connection: the pool may have no other
 */
export async function* stream(
  pool: PostgresPool,
  { text, values }: Statement,
  onPage: (client: PostgresClient, rows: readonly object[]) => Promise<void> = async () => {},
): AsyncGenerator<object, void> {
  const client = await takeClient(pool);
  let isHeld = true;
  const release = (isBroken: boolean): void => {
    if (isHeld) giveBack(client, isBroken);
    isHeld = false;
  };
  try {
    await client.query("begin read only");
    await client.query(`declare decern_find no scroll cursor for ${text}`, values);
    while (isHeld) {
      const { rows } = await client.query(`fetch ${pageSize} from decern_find`);
      await onPage(client, rows);
      if (rows.length < pageSize) {
        await client.query("commit");
        release(false);
      }
      yield* rows;
    }
  } catch (error) {
    release(true);
    throw error;
  } finally {
    if (isHeld) {
      // The reader stopped early.
      const isClosed = await client.query("rollback").then(
        () => true,
        () => false,
      );
      release(!isClosed);
    }
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dayMs = 86_400_000;
/** The time in an id has 48 bits; PostgreSQL's time ends before that. */
const latestMs = 9_000_000_000_000_000 / 1000;

/** When a record with this id was probably written, from the time in a UUID of version 7. */
export function writtenAround(recordId: string): Written | undefined {
  if (recordId[14] !== "7") return undefined;
  const ms = Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16);
  return ms > latestMs ? undefined : { fromMs: ms - dayMs, toMs: ms + dayMs };
}

interface Written {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Only months that overlap with `written` are read. */
function findStatement(names: Names, query: StoredQuery, written?: Written): Statement {
  const values: unknown[] = [];
  const conditions: string[] = [];
  const where = (condition: (parameter: string) => string, value: unknown): void => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const equal = (column: string, text: string | undefined): void => {
    if (text !== undefined) where((parameter) => `${column} = ${parameter}`, columnText(text));
  };
  const since = (column: string, operator: ">=" | "<", ms: number | undefined): void => {
    if (ms !== undefined) {
      where((parameter) => `${column} ${operator} to_timestamp(${parameter}::float8 / 1000)`, ms);
    }
  };
  if (query.recordId !== undefined) where((parameter) => `record_id = ${parameter}::uuid`, query.recordId);
  equal("request_id", query.requestId);
  equal("caller", query.caller);
  equal("decision", query.decision);
  equal("version", query.version);
  equal("status", query.status);
  equal("rule", query.rule);
  if (query.subjects !== undefined) {
    where((parameter) => `subject = any(${parameter}::text[])`, query.subjects.map(columnText));
  }
  since("recorded_at", ">=", timeOf(query.from));
  since("recorded_at", "<", timeOf(query.to));
  since("written_at", ">=", written?.fromMs);
  since("written_at", "<", written?.toMs);
  const order =
    query.newestFirst === true ? "recorded_at desc, chain desc, position desc" : "chain, position";
  const limit = query.limit === undefined ? "" : ` limit ${Math.max(0, Math.floor(query.limit))}`;
  const filter = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  return {
    text: `select record_id::text as record_id, record, payload from ${names.records}${filter} order by ${order}${limit}`,
    values,
  };
}

/** Limits a time to what PostgreSQL can hold. */
function timeOf(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : Math.max(date.getTime(), earliestMs);
}

/** Leaves unreadable records to the check of the chains. */
export async function* find(
  pool: PostgresPool,
  names: Names,
  query: StoredQuery,
): AsyncGenerator<DecisionRecord, void> {
  for (const statement of statementsFor(names, query)) {
    let hasFound = false;
    for await (const row of stream(pool, statement)) {
      const record = recordIn(row);
      if (typeof record === "string") {
        query.onUnreadable?.({ at: `record ${textOf(row, "record_id")}`, reason: record });
        continue;
      }
      hasFound = true;
      yield record;
    }
    if (hasFound) return;
  }
}

/** Each is run if the ones before it found nothing. */
export function statementsFor(names: Names, query: StoredQuery): readonly Statement[] {
  const { recordId } = query;
  if (recordId === undefined) return [findStatement(names, query)];
  if (!uuid.test(recordId)) return [];
  const written = writtenAround(recordId);
  const everywhere = findStatement(names, query);
  // The clocks of host and database may differ, and a record may have waited for days.
  return written === undefined ? [everywhere] : [findStatement(names, query, written), everywhere];
}

/** @returns why it isn't a record; `undefined` if it is one */
function recordIn(row: object): DecisionRecord | string {
  try {
    const value: unknown = JSON.parse(storedText(textOf(row, "record") ?? "", textOf(row, "payload")));
    return readRecord(value);
  } catch {
    return "it is not JSON";
  }
}
