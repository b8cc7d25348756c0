import type { SealedRecord } from "@decern/core";
import { ByteWriter } from "./byte-writer.js";
import type { Draft } from "./draft.js";
import { RandomPool } from "./random-pool.js";

const saltBytes = 16;
const pool = new RandomPool();

/** The payload that is being sealed, behind its salt; and the rest of the record. */
const payloadWriter = new ByteWriter();
const recordWriter = new ByteWriter();

/** A record on its way to a store. */
export class Sealing {
  readonly draft: Draft;
  /** Drawn once: a record that is chained again keeps its payload. */
  #salt: Buffer | undefined = undefined;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  /**
   * Chains the record to the one before it, and writes its line. Writing to the store may fail, so it may be called again.
   *
   * @returns the record, without the `bytes` that `target` now has
   */
  after(previousHash: string | null, target: ByteWriter): SealedFacts {
    const { draft } = this;
    this.#salt ??= Buffer.from(pool.bytes.subarray(pool.take(saltBytes), pool.position));
    const { payload, beforeHash, beforePayload } = draft;
    payloadWriter.clear();
    payloadWriter.copy(this.#salt, 0, saltBytes);
    const bodyStart = payloadWriter.length;
    const { before, after } = payload ?? { before: "", after: "" };
    const separator = before === "" || after === "" ? "" : ",";
    const beforeBytes = payloadWriter.text(`{${before}`);
    payloadWriter.text(`${separator}${after}}`);
    const payloadHash = payloadWriter.sha256(0);

    const previous = previousHash === null ? "null" : `"${previousHash}"`;
    recordWriter.clear();
    const hashAt = recordWriter.text(beforeHash);
    const payloadAt = hashAt + recordWriter.text(beforePayload);
    recordWriter.text(`"payloadHash":"${payloadHash}","previousHash":${previous},${draft.afterPrevious}`);
    const hash = recordWriter.sha256(0);

    const start = target.length;
    target.copy(recordWriter.bytes, 0, hashAt);
    target.text(`"hash":"${hash}",`);
    target.copy(recordWriter.bytes, hashAt, payloadAt);
    target.text(`"payload":`);
    const payloadStart = target.length - start;
    if (payload === undefined) {
      // The salt is thrown away: nobody can tell what was there.
      target.text("null");
    } else {
      target.copy(payloadWriter.bytes, bodyStart, bodyStart + beforeBytes);
      const salt = this.#salt.toString("base64url");
      target.text(`${before === "" ? "" : ","}"salt":"${salt}"${before === "" && after !== "" ? "," : ""}`);
      target.copy(payloadWriter.bytes, bodyStart + beforeBytes, payloadWriter.length);
    }
    const payloadEnd = target.length - start;
    target.text(",");
    target.copy(recordWriter.bytes, payloadAt, recordWriter.length);
    target.text("\n");
    return { draft, hash, start, end: target.length, payloadStart, payloadEnd };
  }
}

/** A record whose line was written. */
export interface SealedFacts {
  readonly draft: Draft;
  readonly hash: string;
  /** Where its line is. */
  readonly start: number;
  readonly end: number;
  /** Within the line. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/** A record as a store takes it. @param bytes - that have its line */
export function sealedRecord(facts: SealedFacts, bytes: Buffer): SealedRecord {
  const { draft, hash, start, end, payloadStart, payloadEnd } = facts;
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
    bytes: bytes.subarray(start, end),
    payloadStart,
    payloadEnd,
  };
}
