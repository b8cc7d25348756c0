import type { Erasure } from "@decern/core";
import { erasureLine } from "@decern/core/tools";
import { sha256 } from "../record/sha256.js";
import { type CheckedRecord, parsed, unreadable } from "./check-record.js";

export interface CheckedErasure extends CheckedRecord {
  readonly erasure: Erasure | undefined;
}

/** Checks the line of an erasure. @param text - as it is stored */
export function checkErasure(text: string): CheckedErasure {
  const { erasure, hash, previousHash } = parsed(text) ?? {};
  const { erasedAt, records, subject }: { [Name in keyof Erasure]?: unknown } = Object(erasure);
  const isRead =
    typeof erasedAt === "string" &&
    typeof records === "number" &&
    typeof subject === "string" &&
    typeof hash === "string" &&
    (typeof previousHash === "string" || previousHash === null);
  if (!isRead) return { ...unreadable("it is not an erasure"), erasure: undefined };
  const read = { erasedAt, records, subject };
  const line = erasureLine(read, previousHash, sha256);
  const known = { recordId: undefined, previous: previousHash, hashes: [hash, line.hash], record: undefined };
  return line.text === text
    ? { ...known, problem: undefined, erasure: read }
    : {
        ...known,
        problem: { kind: "hash", message: "it was changed after it was written" },
        erasure: undefined,
      };
}
