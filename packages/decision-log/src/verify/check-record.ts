import { isJsonObject } from "@decern/core/schema";
import { canonicalParsed } from "@decern/core/tools";
import { type Erasure, erasureLine } from "../record/record-store.js";
import { sha256, sha256After } from "../text/hashing.js";
import type { VerificationProblem } from "../verify/verification.js";

/** What one record shows by itself. */
export interface CheckedRecord {
  /** Absent where it cannot be read. */
  readonly recordId: string | undefined;
  /** The hash of the record before it; `undefined` where it cannot be read. */
  readonly previous: string | null | undefined;
  /** What the record after it may name: its hash as it says, and as it is. `undefined` where it cannot be read. */
  readonly hashes: readonly string[] | undefined;
  readonly problem: Pick<VerificationProblem, "kind" | "message"> | undefined;
  /** What can be read of it. */
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

const saltBytes = 16;

/** Checks the hashes of a record. @param text - as it is stored */
export function checkRecord(text: string): CheckedRecord {
  const record = parsed(text);
  if (record === undefined) return unreadable("it is not a record");
  const { payload, hash, ...chained } = record;
  const { recordId, previousHash, payloadHash } = chained;
  const id = typeof recordId === "string" ? recordId : undefined;
  const previous = typeof previousHash === "string" || previousHash === null ? previousHash : undefined;
  let known: Omit<CheckedRecord, "problem"> = {
    record: undefined,
    recordId: id,
    previous: undefined,
    hashes: undefined,
  };
  const told = (kind: VerificationProblem["kind"], message: string) => ({
    ...known,
    problem: { kind, message },
  });
  try {
    const chainText = canonicalParsed(chained);
    if (typeof hash !== "string" || chainText === undefined) return told("unreadable", "it is not a record");
    const actual = sha256(chainText);
    known = { recordId: id, previous, hashes: [hash, actual], record };
    if (actual !== hash) return told("hash", "it was changed after it was written");
    if (payload !== null && !isPayload(payload, payloadHash))
      return told("payload", "its payload was changed after it was written");
    // JSON.parse hides what is there twice, such as a second payload.
    if (canonicalParsed(record) !== withoutPadding(text)) return told("hash", "it is not canonical JSON");
    return { ...known, problem: undefined };
  } catch (error) {
    // No log writes so many levels.
    if (error instanceof RangeError) return told("unreadable", "it is nested too deeply to be checked");
    throw error;
  }
}

function unreadable(message: string): CheckedRecord {
  return {
    record: undefined,
    recordId: undefined,
    previous: undefined,
    hashes: undefined,
    problem: { kind: "unreadable", message },
  };
}

/** The JSON object that a line has; `undefined` for any other line. */
function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPayload(payload: unknown, payloadHash: unknown): boolean {
  if (!isJsonObject(payload)) return false;
  const { salt, ...rest } = payload;
  if (typeof salt !== "string") return false;
  const bytes = Buffer.from(salt, "base64url");
  // The last character has bits that no byte comes from.
  if (bytes.length !== saltBytes || bytes.toString("base64url") !== salt) return false;
  const text = canonicalParsed(rest);
  return text !== undefined && sha256After(bytes, 0, saltBytes, [text]) === payloadHash;
}

/** Erasing a payload in place leaves spaces. */
function withoutPadding(text: string): string {
  return text.replace(/"payload":null +,"payloadHash":/, '"payload":null,"payloadHash":');
}

interface CheckedErasure extends CheckedRecord {
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
  const line = erasureLine(read, previousHash);
  const known = { recordId: undefined, previous: previousHash, hashes: [hash, line.hash], record: undefined };
  return line.text === text
    ? { ...known, problem: undefined, erasure: read }
    : {
        ...known,
        problem: { kind: "hash", message: "it was changed after it was written" },
        erasure: undefined,
      };
}

/**
 * Hashes of the host's profiles that a record needs. Without a payload it is unknown whether the caller brought the profile, and
 * which decisions were used.
 */
export function hostProfiles({
  profileHash,
  masked,
  payload,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!isJsonObject(payload)) return [];
  const isOwn = "profile" in payload || (Array.isArray(masked) && masked.includes("/profile"));
  return [...(isOwn ? [] : [profileHash]), ...usedProfiles(payload["used"])];
}

/** What was masked has no hash any more. */
function usedProfiles(used: unknown): readonly string[] {
  if (!Array.isArray(used)) return [];
  return used
    .filter(isJsonObject)
    .flatMap(({ profileHash, used: own }) => [
      ...(typeof profileHash === "string" ? [profileHash] : []),
      ...usedProfiles(own),
    ]);
}
