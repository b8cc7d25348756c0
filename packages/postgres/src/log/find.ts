import type { DecisionRecord } from "@decern/core";
import { isRecord, recordProblem } from "@decern/core/tools";
import type { StoredQuery } from "@decern/decision-log";
import { type PostgresPool, type Statement, textOf } from "../client/client.js";
import type { Names } from "../client/names.js";
import { columnText } from "./columns.js";
import { storedText, stream } from "./stream.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dayMs = 86_400_000;
/** The time in it has 48 bits, and PostgreSQL's time ends before that. */
const latestMs = 9_000_000_000_000_000 / 1000;

function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** When a record with this id was probably written: its id, a UUID of version 7, has the time. `undefined` for another version. */
export function writtenAround(recordId: string): Written | undefined {
  if (recordId[14] !== "7") return undefined;
  const ms = Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16);
  return ms > latestMs ? undefined : { fromMs: ms - dayMs, toMs: ms + dayMs };
}

/** Between which instants a record was written, in milliseconds since the Unix epoch. */
interface Written {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The statement that finds what a query asks for. Only months that overlap with `written` are read. */
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

/** Instants that PostgreSQL cannot hold are those at its ends. */
function timeOf(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : Math.max(date.getTime(), -188_000_000_000_000);
}

/** Streams the records that a query asks for. Records that cannot be read are left to the check of the chains. */
export async function* find(
  pool: PostgresPool,
  names: Names,
  query: StoredQuery,
): AsyncGenerator<DecisionRecord, void> {
  for (const statement of statementsFor(names, query)) {
    let hasFound = false;
    for await (const row of stream(pool, statement)) {
      const record = readRecord(row);
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

/** Each is run when the ones before it found nothing. */
export function statementsFor(names: Names, query: StoredQuery): readonly Statement[] {
  const { recordId } = query;
  if (recordId === undefined) return [findStatement(names, query)];
  if (!isUuid(recordId)) return [];
  const written = writtenAround(recordId);
  const everywhere = findStatement(names, query);
  // The clocks of host and database may differ, and a record may have waited for days.
  return written === undefined ? [everywhere] : [findStatement(names, query, written), everywhere];
}

/** @returns why it isn't a record, where it is none */
function readRecord(row: object): DecisionRecord | string {
  try {
    const value: unknown = JSON.parse(storedText(textOf(row, "record") ?? "", textOf(row, "payload")));
    return isRecord(value) ? value : (recordProblem(value) ?? "");
  } catch {
    return "it is not JSON";
  }
}
