import { isJsonObject } from "@decern/core/schema";
import { canonicalForm } from "@decern/core/tools";
import { type Erasure, erasureLine } from "../record/record-store.js";
import { sha256, sha256After } from "../text/hashing.js";

/** One thing that is wrong with a record. */
export interface VerificationProblem {
  /** Absent where it cannot be read. */
  readonly recordId?: string;
  /** Where the record is, such as a file and a line. */
  readonly at: string;
  /**
   * - `unreadable`: not a record
   * - `payload`: the payload is not the one that was written
   * - `hash`: something else in the record is not
   * - `chain`: the record does not follow the one before it: one was removed, added or moved
   * - `profile`: a profile that the record was evaluated with is not there
   * - `content`: what its decision, or one that was used, was made from is not there
   * - `erasure`: the payload is not there, and no erasure accounts for it
   * - `duplicate`: a record with its id came before
   * - `copy`: what the store searches by is not as in the record
   */
  readonly kind:
    | "unreadable"
    | "payload"
    | "hash"
    | "chain"
    | "profile"
    | "content"
    | "erasure"
    | "duplicate"
    | "copy";
  readonly message: string;
}

export interface CheckedRecord {
  /** Absent if unreadable. */
  readonly recordId: string | undefined;
  /** The hash of the record before it; `undefined` if unreadable. */
  readonly previous: string | null | undefined;
  /** Hashes that the next record may name: as written, and as computed. `undefined` if unreadable. */
  readonly hashes: readonly string[] | undefined;
  readonly problem: Pick<VerificationProblem, "kind" | "message"> | undefined;
  readonly record: Readonly<Record<string, unknown>> | undefined;
}

const saltBytes = 16;

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
  const chainText = canonicalForm(chained);
  if (typeof hash !== "string" || chainText === undefined) return told("unreadable", "it is not a record");
  const actual = sha256(chainText);
  known = { recordId: id, previous, hashes: [hash, actual], record };
  if (actual !== hash) return told("hash", "it was changed after it was written");
  const whole = canonicalForm(record);
  // No log writes either.
  if (whole === undefined)
    return told("unreadable", "it is nested too deeply to be checked, or a text in it has half a character");
  if (payload !== null && !isPayload(payload, payloadHash))
    return told("payload", "its payload was changed after it was written");
  // JSON.parse hides duplicate members, such as a second payload.
  if (whole !== withoutPadding(text)) return told("hash", "it is not canonical JSON");
  return { ...known, problem: undefined };
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
  const text = canonicalForm(rest);
  return text !== undefined && sha256After(bytes, 0, saltBytes, [text]) === payloadHash;
}

/** Erasing a payload in place leaves spaces. */
function withoutPadding(text: string): string {
  return text.replace(/"payload":null +,"payloadHash":/, '"payload":null,"payloadHash":');
}

interface CheckedErasure extends CheckedRecord {
  readonly erasure: Erasure | undefined;
}

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
  return [...(isOwn ? [] : [profileHash]), ...usedHashes(payload["used"], "profileHash")];
}

/** Hashes of what the decisions of a record were made from, as far as they are of `logic`. */
export function namedContents({
  contentHash,
  payload,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  const used = isJsonObject(payload) ? usedHashes(payload["used"], "contentHash") : [];
  return contentHash === undefined ? used : [contentHash, ...used];
}

/** Masked decisions have no hash. */
function usedHashes(used: unknown, name: "profileHash" | "contentHash"): readonly string[] {
  if (!Array.isArray(used)) return [];
  return used
    .filter(isJsonObject)
    .flatMap(({ [name]: hash, used: own }) => [
      ...(typeof hash === "string" ? [hash] : []),
      ...usedHashes(own, name),
    ]);
}
