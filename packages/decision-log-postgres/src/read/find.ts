import type { DecisionRecord, StoredQuery } from "@decern/core";
import { recordProblem } from "@decern/core/tools";
import type { Names } from "../names.js";
import type { PostgresPool } from "../pool.js";
import { textOf } from "../row.js";
import { findStatement, type Statement } from "./find-statement.js";
import { storedText } from "./stored-text.js";
import { stream } from "./stream.js";
import { isUuid, writtenAround } from "./uuid-time.js";

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

/** @returns why it is no record, where it is none */
function readRecord(row: object): DecisionRecord | string {
  try {
    const value: unknown = JSON.parse(storedText(textOf(row, "record") ?? "", textOf(row, "payload")));
    return isRecord(value) ? value : (recordProblem(value) ?? "");
  } catch {
    return "it is not JSON";
  }
}

function isRecord(value: unknown): value is DecisionRecord {
  return recordProblem(value) === undefined;
}
