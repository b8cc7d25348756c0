import { isObject, own, pretty } from "../json/values.js";
import type { RecordDetail, RecordSummary } from "../model/data.js";
import { asTypeScript } from "../model/snippets.js";

/** The call as an entry of a decision's `meta.examples`, which the docs page shows too. */
export function asExample({ record }: RecordDetail): string {
  const { decision, status, matchedRule, payload } = record;
  const profile = payload?.profile;
  return pretty({
    name: `${decision.id}: ${matchedRule ?? status}, ${record.recordedAt.slice(0, 10)}`,
    input: payload?.input,
    ...(profile === undefined ? {} : { profile }),
    expect: { status, ...(matchedRule === undefined ? {} : { matchedRule }) },
  });
}

/** Whether a call in process can end as this one did. Hooks and hosts also refuse calls. */
export function canBeTested({ status, payload }: RecordDetail["record"]): boolean {
  return payload !== null && (status !== "ERROR" || payload.error?.code === "EVALUATION_FAILED");
}

/** The call as a test for Vitest, in TypeScript. */
export function asTest({ record, profile: hostProfile }: RecordDetail): string {
  const { decision, recordId, recordedAt, requestId, status, matchedRule, payload, masked } = record;
  const profile = payload?.profile ?? hostProfile;
  const file = `./${encodeURIComponent(decision.id)}.js`;
  const removed = masked.map((pointer) => `// Removed before writing: ${JSON.stringify(pointer)}\n`).join("");
  const options = `{ now: new Date(${text(recordedAt)}), requestId: ${text(requestId)} }`;
  const call = `evaluate(decision, input, ${profile === undefined ? "undefined" : "profile"}, ${options})`;
  return `import { evaluate } from "@decern/core";
import { expect, test } from "vitest";
import { ${exportName(decision.id)} as decision } from ${text(file)};

${removed}// Unknown, because the call came from outside.
const input: unknown = ${asTypeScript(payload?.input ?? null, "")};
${profile === undefined ? "" : `const profile: unknown = ${asTypeScript(profile, "")};\n`}
test(${text(`${decision.id} ${decision.version}: ${matchedRule ?? status} (record ${recordId})`)}, () => {
  ${status === "ERROR" ? expectFault(call) : expectResult(call, record)}
});
`;
}

function expectFault(call: string): string {
  return `expect(() => ${call}).toThrow(
    expect.objectContaining({ code: "EVALUATION_FAILED" }),
  );`;
}

function expectResult(call: string, { status, matchedRule, payload }: RecordDetail["record"]): string {
  const result = payload?.result;
  const data = isObject(result) ? own(result, "data") : undefined;
  const expected = {
    status,
    ...(data === undefined ? {} : { data }),
    ...(matchedRule === undefined ? {} : { meta: { matchedRule } }),
  };
  return `const result = ${call};
  expect(result).toMatchObject(${asTypeScript(expected, "  ")});`;
}

/** A text as TypeScript. */
function text(value: string): string {
  return JSON.stringify(value);
}

/** The name that a module would export a decision under: `loanApproval` for `loan-approval`. */
function exportName(id: string): string {
  const name = id.replace(/[^A-Za-z0-9]+(.?)/g, (_, first: string) => first.toUpperCase());
  return /^[A-Za-z]/.test(name) ? name : `_${name}`;
}

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
