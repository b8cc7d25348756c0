import { isJsonObject } from "@decern/core/schema";
import { canonicalForm } from "@decern/core/tools";
import { type ByteWriter, sha256 } from "../text/hashing.js";
import type { Draft } from "./drafter.js";
import { RandomPool, type SaltBytes } from "./ids-and-salts.js";
import type { PayloadText } from "./payload-text.js";
import type { SealedRecord } from "./record-store.js";

const saltBytes = 16;
const noPayload = { before: "", after: "" };
const pool = new RandomPool();

export interface SealedLine extends SealedRecord {
  /** Set when the batch is written: its memory may move until then. */
  bytes: Uint8Array;
  /** Where its line is among those of its batch. */
  readonly start: number;
  readonly end: number;
}

const noBytes = new Uint8Array(0);
const hashName = `"hash":"`;
/** Reserves the place of the record's hash, which is known last. */
const noHash = `${hashName}sha256:${"0".repeat(64)}",`;
const payloadName = `"payload":`;
const closingBrace = 0x7d;

/**
 * Writes the line of a record, chained to the one before it. Everything is encoded once, where it stays: the payload is hashed
 * there, and for the record's hash its other parts are copied behind it. Joining and encoding texts for each hash takes 6.6 µs
 * instead of 5.5 µs.
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
  // Without the comma before it and the newline.
  lines.repeat(payloadEnd + 1, end - 1);
  const hash = lines.sha256(end);
  lines.length = end;
  lines.overwrite(hash, hashAt + hashName.length);
  return sealedLine(draft, hash, {
    start,
    end,
    payloadStart: payloadAt - start,
    payloadEnd: payloadEnd - start,
  });
}

/** Without the texts of the draft, which would take memory until the record is on disk. */
function sealedLine(
  draft: Draft,
  hash: string,
  places: Pick<SealedLine, "start" | "end" | "payloadStart" | "payloadEnd">,
): SealedLine {
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
    start: places.start,
    end: places.end,
    payloadStart: places.payloadStart,
    payloadEnd: places.payloadEnd,
  };
}

/** Hashes the salt and the payload. The part before the salt stays written. */
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

function endPayload(
  payload: PayloadText | undefined,
  lines: ByteWriter,
  salts: Buffer,
  saltAt: number,
): string {
  // The salt is discarded: the payload can't be guessed from its hash.
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
  const hash = sha256(canonicalForm(chained) ?? "");
  const text = canonicalForm({ ...chained, hash, payload: null }) ?? "";
  // Quotation marks within texts are escaped, so this place is unique.
  const payloadAt = text.indexOf(nullPayload) + nullPayload.length - "null".length;
  const start = lines.length;
  const payloadStart = lines.text(text.slice(0, payloadAt));
  lines.text(bytes.toString("utf8", sealed.start + sealed.payloadStart, sealed.start + sealed.payloadEnd));
  const payloadEnd = lines.length - start;
  lines.text(`${text.slice(payloadAt + "null".length)}\n`);
  return { ...sealed, hash, start, end: lines.length, payloadStart, payloadEnd };
}

const nullPayload = '"payload":null';
