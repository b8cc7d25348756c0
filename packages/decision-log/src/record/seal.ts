import type { SealedRecord } from "@decern/core";
import { ByteWriter } from "./byte-writer.js";
import type { Draft } from "./draft.js";
import { RandomPool } from "./random-pool.js";

const saltBytes = 16;
const pool = new RandomPool();

/** The payload that is being sealed, behind its salt; and the rest of the record. */
const payloadWriter = new ByteWriter();
const recordWriter = new ByteWriter();

/** A record whose line is written. */
export interface SealedLine extends SealedRecord {
  /** Set when the batch is written, because its memory may still move. */
  bytes: Uint8Array;
  /** Where its line is among those of its batch. */
  readonly start: number;
  readonly end: number;
}

const noBytes = new Uint8Array(0);
const comma = 0x2c;
const lineBreak = 0x0a;

/** Writes the line of a record, chained to the one before it. */
export function sealRecord(draft: Draft, previousHash: string | null, lines: ByteWriter): SealedLine {
  const { payload, beforeHash, beforePayload } = draft;
  const saltAt = pool.take(saltBytes);
  const saltEnd = saltAt + saltBytes;
  const { before, after } = payload ?? { before: "", after: "" };
  payloadWriter.clear();
  payloadWriter.copy(pool.bytes, saltAt, saltEnd);
  const beforeEnd = saltBytes + payloadWriter.text(`{${before}`);
  payloadWriter.text(`${before === "" || after === "" ? "" : ","}${after}}`);
  const payloadHash = payloadWriter.sha256();

  const previous = previousHash === null ? "null" : `"${previousHash}"`;
  recordWriter.clear();
  const hashAt = recordWriter.text(beforeHash);
  const payloadAt = hashAt + recordWriter.text(beforePayload);
  recordWriter.text(`"payloadHash":"${payloadHash}","previousHash":${previous},${draft.afterPrevious}`);
  const hash = recordWriter.sha256();

  const start = lines.length;
  lines.copy(recordWriter.bytes, 0, hashAt);
  lines.text(`"hash":"${hash}",`);
  lines.copy(recordWriter.bytes, hashAt, payloadAt);
  lines.text(`"payload":`);
  const payloadStart = lines.length - start;
  if (payload === undefined) {
    // The salt is thrown away: nobody can tell what was there.
    lines.text("null");
  } else {
    lines.copy(payloadWriter.bytes, saltBytes, beforeEnd);
    const salt = pool.bytes.toString("base64url", saltAt, saltEnd);
    lines.text(`${before === "" ? "" : ","}"salt":"${salt}"${before === "" && after !== "" ? "," : ""}`);
    lines.copy(payloadWriter.bytes, beforeEnd, payloadWriter.length);
  }
  const payloadEnd = lines.length - start;
  lines.character(comma);
  lines.copy(recordWriter.bytes, payloadAt, recordWriter.length);
  lines.character(lineBreak);
  return {
    recordId: draft.recordId,
    recordedAtMs: draft.recordedAtMs,
    requestId: draft.requestId,
    caller: draft.caller,
    decisionId: draft.decisionId,
    decisionVersion: draft.decisionVersion,
    status: draft.status,
    matchedRule: draft.matchedRule,
    subject: draft.subject,
    profileHash: draft.profileHash,
    hash,
    bytes: noBytes,
    start,
    end: lines.length,
    payloadStart,
    payloadEnd,
  };
}
