import { createHash } from "node:crypto";
import type { DecisionRecord } from "@decern/core";
import { readRecord } from "@decern/core/tools";
import type { SealedRecord } from "@decern/decision-log";
import type { Names } from "../client/layout.js";

/** Stands for NULL in what is sent. */
const nullText = "\\N";

const hashed = "sha256 of UTF-16: ";

/** PostgreSQL refuses index entries above 2,704 bytes; a character has at most three of them for each code unit. */
const longest = 600;

const unpaired = /\p{Surrogate}/u;

/**
 * A text as columns hold it, the same for writing and for finding. What PostgreSQL cannot hold or index is replaced by its hash:
 * a write must not fail because of what a caller sent. The record itself has the text. No two texts become the same.
 */
export function columnText(text: string): string {
  const fits =
    text.length <= longest &&
    !text.includes("\0") &&
    !text.includes("\n") &&
    text !== nullText &&
    !text.startsWith(hashed) &&
    !unpaired.test(text);
  return fits ? text : `${hashed}${createHash("sha256").update(text, "utf16le").digest("hex")}`;
}

/** Least that PostgreSQL and every reader of it can hold, in milliseconds since the Unix epoch: the year 4000 BC or so. */
export const earliestMs = -188_000_000_000_000;

/** A record, as columns take it. */
interface Row {
  readonly recordedAtMs: number;
  /** Without its payload. */
  readonly record: DecisionRecord;
  readonly text: string;
  readonly payload: string;
}

/** Each column, what is sent for a record, and the SQL that reads it. */
const recordColumns: readonly {
  readonly name: string;
  readonly sent: (row: Row) => string;
  readonly read?: string;
}[] = [
  {
    name: "recorded_at",
    sent: ({ recordedAtMs }) => String(Math.max(recordedAtMs, earliestMs)),
    read: "to_timestamp(given.recorded_at::float8 / 1000)",
  },
  { name: "record_id", sent: ({ record }) => record.recordId, read: "given.record_id::uuid" },
  { name: "request_id", sent: ({ record }) => columnText(record.requestId) },
  { name: "caller", sent: ({ record }) => optional(record.caller) },
  { name: "decision", sent: ({ record }) => columnText(record.decision.id) },
  { name: "version", sent: ({ record }) => columnText(record.decision.version) },
  { name: "status", sent: ({ record }) => record.status },
  { name: "rule", sent: ({ record }) => optional(record.matchedRule) },
  { name: "subject", sent: ({ record }) => optional(record.subject) },
  { name: "record", sent: ({ text }) => text },
  { name: "payload", sent: ({ payload }) => (payload === "null" ? nullText : payload) },
];

/** One text for each column, with the values of all records. */
export function columnsOf(records: readonly SealedRecord[]): readonly string[] {
  const rows = records.map(rowOf);
  return recordColumns.map(({ sent }) => linesOf(rows.map(sent)));
}

function rowOf({ recordedAtMs, bytes, payloadStart, payloadEnd }: SealedRecord): Row {
  const { buffer, byteOffset, length } = bytes;
  const line = Buffer.from(buffer, byteOffset, length);
  // Without its line break.
  const text = `${line.toString("utf8", 0, payloadStart)}null${line.toString("utf8", payloadEnd, length - 1)}`;
  const record = readRecord(JSON.parse(text));
  if (typeof record === "string") throw new TypeError(`a sealed line is not a record: ${record}`);
  return { recordedAtMs, record, text, payload: line.toString("utf8", payloadStart, payloadEnd) };
}

/**
 * One text for many values, none of which has a line break. Arrays would be quoted here value by value, and read there character
 * by character. The last value is followed by a break too, so that one that is empty counts.
 */
export function linesOf(values: readonly string[]): string {
  return `${values.join("\n")}\n`;
}

function optional(text: string | undefined): string {
  return text === undefined ? nullText : columnText(text);
}

/** How many parameters come before the columns of the records. */
const before = 8;

/**
 * One statement, so one round trip and one transaction: the head of the chain moves if it is where the writer left it, and only
 * then are there new records. Parameters: chain, opening, new head, number of records, old head, hashes, media types
 * and texts of what records name by its hash, then the columns of the records. It reports as many rows as it wrote records.
 *
 * The month of a record is that of its writing, never that of an earlier record of its chain: so dropping a month takes the first
 * records of a chain, and leaves no gap.
 */
export function writeStatement({ chains, profiles, records }: Names): string {
  const given = recordColumns.map((_, index) => splitLines(before + index + 1)).join(", ");
  return `with moved as (
      update ${chains}
        set head = $3, records = records + $4::bigint, written_at = greatest(written_at, now())
        where id = $1::bigint and opened = $2::bigint and head is not distinct from $5
        returning id, records - $4::bigint as position, written_at
    ), kept as (
      insert into ${profiles} (hash, media_type, profile)
        select given.hash, given.media_type, given.profile
        from moved, rows from (${splitLines(6)}, ${splitLines(7)}, ${splitLines(8)}) with ordinality
          as given(hash, media_type, profile, number)
        where given.hash <> '' order by given.hash, given.media_type
        on conflict do nothing
    )
    insert into ${records} (written_at, chain, position, ${recordColumns.map(({ name }) => name).join(", ")})
      select moved.written_at, moved.id, moved.position + given.number,
        ${recordColumns.map(({ name, read = `given.${name}` }) => read).join(", ")}
      from moved, rows from (${given}) with ordinality
        as given(${recordColumns.map(({ name }) => name).join(", ")}, number)
      where given.number <= $4::bigint`;
}

function splitLines(parameter: number): string {
  return `string_to_table($${parameter}, E'\\n', '${nullText}')`;
}
