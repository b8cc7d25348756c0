import type { SealedRecord } from "@decern/core";
import { columnText, nullText } from "../column-text.js";

/** Least that PostgreSQL and every reader of it can hold, in milliseconds since the Unix epoch: the year 4000 BC or so. */
export const earliestMs = -188_000_000_000_000;

/** The columns of a batch, in the order of {@link recordColumns}. */
export type BatchColumns = readonly string[];

/** Each column with the type of what is sent for it. */
export const recordColumns = [
  { name: "recorded_at", from: "to_timestamp(given.recorded_ms::float8 / 1000)", sent: "recorded_ms" },
  { name: "record_id", from: "given.record_id::uuid", sent: "record_id" },
  { name: "request_id", from: "given.request_id", sent: "request_id" },
  { name: "caller", from: "given.caller", sent: "caller" },
  { name: "decision", from: "given.decision", sent: "decision" },
  { name: "version", from: "given.version", sent: "version" },
  { name: "status", from: "given.status", sent: "status" },
  { name: "rule", from: "given.rule", sent: "rule" },
  { name: "subject", from: "given.subject", sent: "subject" },
  { name: "record", from: "given.record", sent: "record" },
  { name: "payload", from: "given.payload", sent: "payload" },
] as const;

/** Values of {@link recordColumns} for each record, one text for each column. */
export function columnsOf(records: readonly SealedRecord[]): BatchColumns {
  const column = (read: (record: SealedRecord) => string): string => lines(records.map(read));
  return [
    column(({ recordedAtMs }) => String(Math.max(recordedAtMs, earliestMs))),
    column(({ recordId }) => recordId),
    column(({ requestId }) => columnText(requestId)),
    column(({ caller }) => optional(caller)),
    column(({ decisionId }) => columnText(decisionId)),
    column(({ decisionVersion }) => columnText(decisionVersion)),
    column(({ status }) => status),
    column(({ matchedRule }) => optional(matchedRule)),
    column(({ subject }) => optional(subject)),
    column(withoutPayload),
    column(payloadOf),
  ];
}

/**
 * One text for many values, none of which has a line break. Arrays would be quoted here value by value, and read there character
 * by character. The last value is followed by a break too, so that one that is empty counts.
 */
export function lines(values: readonly string[]): string {
  return `${values.join("\n")}\n`;
}

function optional(text: string | undefined): string {
  return text === undefined ? nullText : columnText(text);
}

function withoutPayload({ bytes, payloadStart, payloadEnd }: SealedRecord): string {
  // Without its line break.
  return `${textOf(bytes, 0, payloadStart)}null${textOf(bytes, payloadEnd, bytes.length - 1)}`;
}

function textOf({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer, byteOffset + start, end - start).toString();
}

function payloadOf({ bytes, payloadStart, payloadEnd }: SealedRecord): string {
  const payload = textOf(bytes, payloadStart, payloadEnd);
  return payload === "null" ? nullText : payload;
}
