import type { SealedRecord } from "@decern/core";
import type { Draft } from "./draft.js";
import { RandomPool } from "./random-pool.js";
import { sha256, sha256After } from "./sha256.js";

const saltBytes = 16;
const pool = new RandomPool();

/** A payload with its salt, and its hash. Both stay the same, however often the record is chained. */
interface SealedPayload {
  readonly text: string;
  readonly hash: string;
}

/** A record on its way to a store. */
export class Sealing {
  readonly draft: Draft;
  #payload: SealedPayload | undefined = undefined;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  /** Chains the record to the one before it. Writing may fail, so it may be called again. */
  after(previousHash: string | null): SealedRecord {
    const { draft } = this;
    this.#payload ??= sealPayload(draft);
    const { text, hash: payloadHash } = this.#payload;
    const { beforeHash, beforePayload } = draft;
    const previous = previousHash === null ? "null" : `"${previousHash}"`;
    const rest = `"payloadHash":"${payloadHash}","previousHash":${previous},${draft.afterPrevious}`;
    const hash = sha256(beforeHash, beforePayload, rest);
    const start = `${beforeHash}"hash":"${hash}",${beforePayload}"payload":`;
    const payloadStart = start.length;
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
      line: `${start}${text},${rest}`,
      payloadStart,
      payloadEnd: payloadStart + text.length,
    };
  }
}

function sealPayload({ payload }: Draft): SealedPayload {
  const at = pool.take(saltBytes);
  const end = at + saltBytes;
  // The salt is thrown away: nobody can tell what was there.
  if (payload === undefined) return { text: "null", hash: sha256After(pool.bytes, at, end, ["{}"]) };
  const { before, after } = payload;
  const salt = pool.bytes.toString("base64url", at, end);
  const first = before === "" ? "" : ",";
  const last = after === "" ? "" : ",";
  const comma = first === "" ? "" : last;
  return {
    text: `{${before}${first}"salt":"${salt}"${last}${after}}`,
    hash: sha256After(pool.bytes, at, end, ["{", before, `${comma}${after}}`]),
  };
}
