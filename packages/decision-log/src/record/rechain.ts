import { canonicalJson } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
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
  const { payload, hash: _former, ...facts } = record;
  const chained = { ...facts, previousHash };
  const hash = sha256(canonicalJson(chained) ?? "");
  const [before = "", after = ""] = (canonicalJson({ ...chained, hash, payload: marker }) ?? "").split(
    JSON.stringify(marker),
  );
  const start = lines.length;
  const payloadStart = lines.text(before);
  lines.text(canonicalJson(payload) ?? "null");
  const payloadEnd = lines.length - start;
  lines.text(`${after}\n`);
  return { ...sealed, hash, start, end: lines.length, payloadStart, payloadEnd };
}

/** Stands for the payload while the rest is written. */
const marker = "\u0000payload\u0000";
