import { isJsonObject } from "@decern/core/schema";
import { columnText } from "../column-text.js";
import { textOf } from "../row.js";
import { earliestMs } from "../write/batch-columns.js";

/** What a search goes by, as rows that are checked have it. */
export const copyColumns = `records.record_id::text as record_id, request_id, caller, decision, version, status, rule, subject,
  round(extract(epoch from recorded_at) * 1000)::text as recorded_at`;

/** Names the columns of a row that are not as in the record. */
export function wrongCopies(row: object, record: Readonly<Record<string, unknown>>): readonly string[] {
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
