import { isJsonObject } from "@decern/core/schema";
import { canonicalParsed } from "@decern/core/tools";
import type { PayloadText } from "../payload/payload-text.js";
import type { SealedRecord } from "../record/record-store.js";
import { type ByteWriter, sha256 } from "../text/hashing.js";
import type { Draft } from "./drafter.js";
import { RandomPool, type SaltBytes } from "./ids-and-salts.js";

const saltBytes = 16;
const noPayload = { before: "", after: "" };
const pool = new RandomPool();

/** A record whose line is written. */
export interface SealedLine extends SealedRecord {
  /** Set when the batch is written, because its memory may still move. */
  bytes: Uint8Array;
  /** Where its line is among those of its batch. */
  readonly start: number;
  readonly end: number;
}

const noBytes = new Uint8Array(0);
const hashName = `"hash":"`;
/** Holds the place of the record's hash, which is known last. */
const noHash = `${hashName}sha256:${"0".repeat(64)}",`;
const payloadName = `"payload":`;
const closingBrace = 0x7d;

/**
 * Writes the line of a record, chained to the one before it. Everything is written once, where it stays: the payload is hashed
 * there, and for the record's hash its other parts are copied behind it.
 */
export function sealRecord(
  draft: Draft,
  previousHash: string | null,
  lines: ByteWriter,
  salts: SaltBytes = pool,
): SealedLine {
  const { payload, beforeHash, beforePayload } = draft;
  const saltAt = salts.take(saltBytes);
  const start = lines.length;
  lines.text(beforeHash);
  const hashAt = lines.length;
  lines.text(noHash + beforePayload + payloadName);
  const payloadAt = lines.length;

  const payloadHash = hashPayload(payload, lines, salts.bytes, saltAt);
  const rest = endPayload(payload, lines, salts.bytes, saltAt);
  const payloadEnd = lines.length + rest.length;
  const previous = previousHash === null ? "null" : `"${previousHash}"`;
  lines.text(`${rest},"payloadHash":"${payloadHash}","previousHash":${previous},${draft.afterPrevious}\n`);
  const end = lines.length;

  lines.repeat(start, hashAt);
  lines.repeat(hashAt + noHash.length, payloadAt - payloadName.length);
  // Neither the comma before it nor the line break.
  lines.repeat(payloadEnd + 1, end - 1);
  const hash = lines.sha256(end);
  lines.length = end;
  lines.overwrite(hash, hashAt + hashName.length);
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
    end,
    payloadStart: payloadAt - start,
    payloadEnd: payloadEnd - start,
  };
}

/** Hashes a payload behind its salt. What comes before the salt in the text stays written. */
function hashPayload(
  payload: PayloadText | undefined,
  lines: ByteWriter,
  salts: Buffer,
  saltAt: number,
): string {
  const { before, after } = payload ?? noPayload;
  const start = lines.length;
  lines.text(`{${before}`);
  const beforeEnd = lines.length;
  if (after !== "") lines.text(before === "" ? after : `,${after}`);
  lines.character(closingBrace);
  const hash = lines.sha256Behind(salts, saltAt, saltBytes, start);
  lines.length = payload === undefined ? start : beforeEnd;
  return hash;
}

/** Writes the salt and what follows it. @returns the end, in ASCII, which is still to be written */
function endPayload(
  payload: PayloadText | undefined,
  lines: ByteWriter,
  salts: Buffer,
  saltAt: number,
): string {
  // The salt is thrown away: what was there can't be found out.
  if (payload === undefined) return "null";
  const salt = salts.toString("base64url", saltAt, saltAt + saltBytes);
  const text = `${payload.before === "" ? "" : ","}"salt":"${salt}"`;
  if (payload.after === "") return `${text}}`;
  lines.text(`${text},${payload.after}`);
  return "}";
}

/**
 * Chains a record that is sealed already to another before it. Its payload stays as it is. This happens only after a store
 * has failed and begun another chain.
 *
 * @param bytes - that have the line as it was
 */
export function rechainRecord(
  sealed: SealedLine,
  bytes: Buffer,
  previousHash: string | null,
  lines: ByteWriter,
): SealedLine {
  const record: unknown = JSON.parse(bytes.toString("utf8", sealed.start, sealed.end));
  if (!isJsonObject(record)) throw new TypeError("a sealed line is not a record");
  const { payload: _kept, hash: _former, ...facts } = record;
  const chained = { ...facts, previousHash };
  const hash = sha256(canonicalParsed(chained) ?? "");
  const text = canonicalParsed({ ...chained, hash, payload: null }) ?? "";
  // A quotation mark within a text is escaped, so that there is one such place.
  const payloadAt = text.indexOf(nullPayload) + nullPayload.length - "null".length;
  const start = lines.length;
  const payloadStart = lines.text(text.slice(0, payloadAt));
  lines.text(bytes.toString("utf8", sealed.start + sealed.payloadStart, sealed.start + sealed.payloadEnd));
  const payloadEnd = lines.length - start;
  lines.text(`${text.slice(payloadAt + "null".length)}\n`);
  return { ...sealed, hash, start, end: lines.length, payloadStart, payloadEnd };
}

const nullPayload = '"payload":null';
