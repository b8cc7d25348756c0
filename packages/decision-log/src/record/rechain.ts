import { isJsonObject } from "@decern/core/schema";
import { canonicalParsed } from "@decern/core/tools";
import type { ByteWriter } from "./byte-writer.js";
import type { SealedLine } from "./seal.js";
import { sha256 } from "./sha256.js";

/**
 * Chains a record that is sealed already to another one before it. Its payload stays as it is. This happens only after a store
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
  const payloadAt = text.indexOf(noPayload) + noPayload.length - "null".length;
  const start = lines.length;
  const payloadStart = lines.text(text.slice(0, payloadAt));
  lines.text(bytes.toString("utf8", sealed.start + sealed.payloadStart, sealed.start + sealed.payloadEnd));
  const payloadEnd = lines.length - start;
  lines.text(`${text.slice(payloadAt + "null".length)}\n`);
  return { ...sealed, hash, start, end: lines.length, payloadStart, payloadEnd };
}

const noPayload = '"payload":null';
