import type { DecisionRecord } from "@decern/core";
import { recordProblem } from "@decern/core/tools";

/** What is between the members before the payload and the payload. Nothing before it has members of that name. */
const beforePayload = Buffer.from(',"payload":');
/** What follows the payload. Nothing after it has members, so the last one is the record's. */
const afterPayload = Buffer.from(',"payloadHash":"sha256:');
const beforeTime = Buffer.from('"recordedAt":"');
/** Length of an instant such as `2026-11-22T17:00:00.000Z`. */
const timeLength = 24;

/** The record that a line holds; `undefined` where there is none. */
export function parseRecord(text: string): DecisionRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is DecisionRecord {
  return (
    typeof value === "object" &&
    value !== null &&
    "recordId" in value &&
    typeof value.recordId === "string" &&
    "recordedAt" in value &&
    typeof value.recordedAt === "string" &&
    "hash" in value &&
    typeof value.hash === "string" &&
    "decision" in value &&
    typeof value.decision === "object" &&
    value.decision !== null
  );
}

/** The record that a line holds, or why it holds none; `undefined` for a line that need not: a profile, or nothing. */
export function readRecord(text: string): DecisionRecord | string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text.trim() === "" ? undefined : "it is not JSON";
  }
  const problem = recordProblem(value);
  if (problem === undefined && isRecord(value)) return value;
  return isProfile(value) ? undefined : problem;
}

function isProfile(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "recordVersion" in value &&
    value.recordVersion === 1 &&
    "profileHash" in value &&
    typeof value.profileHash === "string" &&
    "profile" in value &&
    !("recordId" in value)
  );
}

/** Where a record's payload begins and ends in a line; `undefined` where there is none. */
export function payloadRange(line: Buffer): { readonly start: number; readonly end: number } | undefined {
  const before = line.indexOf(beforePayload);
  const end = line.lastIndexOf(afterPayload);
  const start = before + beforePayload.length;
  return before === -1 || end < start ? undefined : { start, end };
}

/** The instant of a record, as text; `undefined` for a line that is no record. */
export function timeOf(line: Buffer): string | undefined {
  const at = line.lastIndexOf(beforeTime);
  if (at === -1) return undefined;
  const start = at + beforeTime.length;
  return line.toString("latin1", start, start + timeLength);
}
