import type { RecordSummary } from "../model/data.js";

/** The columns of an export, in order. */
const columns = [
  "recordedAt",
  "decision",
  "version",
  "status",
  "matchedRule",
  "errorCode",
  "caller",
  "requestId",
  "recordId",
  "durationSeconds",
] as const;

/** Records as lines of JSON, each as the search returns it. */
export function asNdjson(records: readonly RecordSummary[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Records as CSV (RFC 4180), with a row of names. Outputs are columns of their own. */
export function asCsv(records: readonly RecordSummary[]): string {
  const outputs = [...new Set(records.flatMap(({ output = {} }) => Object.keys(output)))];
  const head = [...columns, ...outputs.map((name) => `output.${name}`)];
  const rows = records.map(({ decision, output = {}, ...record }) => {
    const known = { ...record, decision: decision.id, version: decision.version };
    return [...columns.map((name) => known[name]), ...outputs.map((name) => output[name])];
  });
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A text that a spreadsheet would take for a formula starts with an apostrophe. */
function cell(value: unknown): string {
  const text = value === undefined ? "" : String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
