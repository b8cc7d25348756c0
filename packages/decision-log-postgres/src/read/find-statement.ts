import type { StoredQuery } from "@decern/core";
import { columnText } from "../column-text.js";
import type { Names } from "../names.js";

export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Between which instants a record was written, in milliseconds since the Unix epoch. */
export interface Written {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The statement that finds what a query asks for. Only months that overlap with `written` are read. */
export function findStatement(names: Names, query: StoredQuery, written?: Written): Statement {
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
