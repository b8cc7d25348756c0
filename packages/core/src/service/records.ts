import type { DecernError } from "../base/errors.js";
import type { Decision, ProfileLookup, UsedEvaluation } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import type { SelectedBy } from "./request-view.js";

/** `ERROR` also for a call that a hook refused. */
export type RecordStatus = "OK" | "NO_MATCH" | "INVALID_INPUT" | "INVALID_PROFILE" | "ERROR";

/**
 * One call and its outcome, as a decision log keeps it. `@decern/decision-log` publishes its JSON Schema. Hashes are
 * `sha256:` and 64 lower-case hexadecimal digits.
 */
export interface DecisionRecord {
  readonly recordVersion: 1;
  /** UUID version 7. The caller got it as `decern-record-id`. */
  readonly recordId: string;
  /** The instant of the evaluation, ISO 8601 in UTC. */
  readonly recordedAt: string;
  readonly requestId: string;
  /** W3C Trace Context, as the request had it. */
  readonly traceparent?: string;
  /** The caller; absent without one. */
  readonly caller?: string;
  readonly decision: { readonly id: string; readonly version: string };
  /** The revision of the host's watched decisions, if it has one. */
  readonly decisionRevision?: string;
  /** The host's build, such as a commit. */
  readonly build?: string;
  /** SHA-256 of the canonical JSON of the profile that was used. */
  readonly profileHash: string;
  /** The revision of the host's watched profiles, if it has one. */
  readonly profileRevision?: string;
  /** Only of a decision of `logic`: its `contentHash`. The log has the document under it. */
  readonly contentHash?: string;
  readonly selectedBy: SelectedBy;
  /** Of a shadow: `recordId` of the call alongside which it ran. Absent where that call was not recorded. */
  readonly shadowOf?: string;
  readonly status: RecordStatus;
  readonly matchedRule?: string;
  readonly durationSeconds: number;
  /** The share of calls like this one that is kept, from 0 to 1. */
  readonly sampleRate: number;
  /** HMAC-SHA-256 of the person concerned. */
  readonly subject?: string;
  /**
   * JSON Pointers into the record of what was removed before it was written, such as `/input/name`; `""` for all of it. Where
   * there is `/profile`, the log may have the caller's profile under `profileHash`: a long one that many calls shared.
   */
  readonly masked: readonly string[];
  /** `null` after erasure, and where it could not be masked. */
  readonly payload: RecordPayload | null;
  /** SHA-256 of the salt's bytes, followed by the canonical JSON of the payload without `salt`. */
  readonly payloadHash: string;
  /** `hash` of the record before this one in its chain; `null` for the first. */
  readonly previousHash: string | null;
  /** SHA-256 of the canonical JSON of the record without `payload` and `hash`. */
  readonly hash: string;
}

/** What was asked, and what came of it. */
export interface RecordPayload {
  /** 16 random bytes in base64url. */
  readonly salt: string;
  readonly input?: unknown;
  /** The caller's; a profile of the host is kept once, under its hash, and so is a long one that the calls of a batch share. */
  readonly profile?: unknown;
  /** The envelope as it was sent. */
  readonly result?: unknown;
  /** What the caller saw of an error or a refusal. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The decisions that rules evaluated, in order; `null` for one that was masked. */
  readonly used?: readonly (UsedRecord | null)[];
}

/** One decision that another decision evaluated. A mask can remove any member. */
export interface UsedRecord {
  readonly id?: string;
  readonly version?: string;
  readonly profileHash?: string;
  /** As that of a record. */
  readonly contentHash?: string;
  readonly result?: unknown;
  readonly used?: readonly (UsedRecord | null)[];
}

/** Records the evaluations of one host. It never throws. */
export interface Recorder {
  /**
   * Asks for room for one more record. If there is none, the call must not be evaluated. The log tells its host's logger why: hosts
   * do not log these calls.
   */
  admit(): boolean;
  /**
   * Whether the next evaluation of a list or a stream is to begin now. They wait while the log has half of what it can hold, so
   * that however fast they are, single calls find room. It becomes `true` in any case: where the log stays down, and where it
   * is closed, each evaluation has the outcome that a single call has.
   */
  readonly hasRoomForMany: boolean;
  /**
   * Decides whether an evaluation is recorded.
   *
   * @param share - the share of calls that was evaluated at all. @default 1
   * @returns `undefined` when it is not in the sample
   */
  choose(decisionId: string, status: RecordStatus, share?: number): RecordTicket | undefined;
  /**
   * Records an evaluation. All of it has been read on return, because hosts change what they gave.
   *
   * @returns what to wait for before anything leaves; it rejects with a DecernError `RECORD_UNAVAILABLE` when the outcome must
   *   not leave. `undefined` when there is nothing to wait for
   */
  record(ticket: RecordTicket, evaluation: RecordedEvaluation): Promise<void> | undefined;
}

/** The right to one record. */
export interface RecordTicket {
  /** Absent where the record is dropped for lack of room: it is only counted, and the reply names none. */
  readonly recordId: string | undefined;
  readonly sampleRate: number;
}

/** An evaluation that ended. */
export interface RecordedEvaluation {
  /** The version that was evaluated. */
  readonly decision: Decision;
  readonly requestId: string;
  readonly epochMs: number;
  readonly durationSeconds: number;
  readonly caller: string | undefined;
  readonly traceparent: string | undefined;
  readonly selectedBy: SelectedBy;
  /** Of a shadow: the id of the record of the call alongside which it ran. Absent where that call is not recorded. */
  readonly shadowOf?: string | undefined;
  readonly input: unknown;
  /** The one that was evaluated with. */
  readonly profile: unknown;
  /** The host's profiles at that time. */
  readonly profiles?: ProfileLookup | undefined;
  /** Whether a caller or a hook brought that profile. Otherwise it is the host's. */
  readonly hasOwnProfile: boolean;
  /** Whether other calls of the same request have that profile too. It is frozen. @default false */
  readonly sharesProfile?: boolean | undefined;
  /** Absent on a refusal and on an error. */
  readonly result: Result | undefined;
  readonly error: DecernError | undefined;
  readonly used: readonly UsedEvaluation[];
}

/** Something that stands where a record should be. */
export interface UnreadableRecord {
  /** Where it is, such as a file and a line. */
  readonly at: string;
  /** Why it isn't a record. It quotes nothing of it. */
  readonly reason: string;
}

/** A value as a record, as far as its members show, or why it isn't one, such as a line of a file that anybody may have written. */
export function readRecord(value: unknown): DecisionRecord | string {
  // Every member that a record needs was looked at.
  return recordProblem(value) ?? (value as DecisionRecord);
}

type Members = { readonly [Name in keyof DecisionRecord]?: unknown };

/** One member after another, by its name: with a list of names and tests, a search takes 6 % longer. */
function recordProblem(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is not a JSON object";
  const record: Members = value;
  const { payload, sampleRate: rate } = record;
  if (record.recordVersion !== 1) return "recordVersion is not 1";
  if (!isNamed(record.decision)) return "decision must have an id and a version";
  return (
    text("recordId", record.recordId) ??
    check("recordedAt", isInstant(record.recordedAt), "an instant") ??
    text("requestId", record.requestId) ??
    optionalText("traceparent", record.traceparent) ??
    optionalText("caller", record.caller) ??
    optionalText("decisionRevision", record.decisionRevision) ??
    optionalText("build", record.build) ??
    text("profileHash", record.profileHash) ??
    optionalText("profileRevision", record.profileRevision) ??
    optionalText("contentHash", record.contentHash) ??
    check("selectedBy", selections.has(record.selectedBy), "default, path, select or shadow") ??
    optionalText("shadowOf", record.shadowOf) ??
    check("status", statuses.has(record.status), "a status") ??
    optionalText("matchedRule", record.matchedRule) ??
    check("durationSeconds", isNumber(record.durationSeconds), "a number") ??
    check("sampleRate", isNumber(rate) && rate > 0 && rate <= 1, "above 0 and at most 1") ??
    optionalText("subject", record.subject) ??
    check("masked", Array.isArray(record.masked) && record.masked.every(isText), "a list of texts") ??
    check("payload", isObjectOrNull(payload), "an object or null") ??
    check("payload.used", hasUsedList(payload), "a list of objects and nulls") ??
    text("payloadHash", record.payloadHash) ??
    check("previousHash", record.previousHash === null || isText(record.previousHash), "a text or null") ??
    text("hash", record.hash)
  );
}

const selections = new Set<unknown>(["default", "path", "select", "shadow"]);

const statuses = new Set<unknown>(["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_PROFILE", "ERROR"]);

function check(name: string, isRight: boolean, expected: string): string | undefined {
  return isRight ? undefined : `${name} must be ${expected}`;
}

function text(name: string, value: unknown): string | undefined {
  return check(name, isText(value), "a text");
}

function optionalText(name: string, value: unknown): string | undefined {
  return check(name, value === undefined || isText(value), "a text");
}

function isNamed(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, version }: { readonly id?: unknown; readonly version?: unknown } = value;
  return isText(id) && isText(version);
}

/** Masked ones are null. No program writes more levels than decisions may have. */
function hasUsedList(value: unknown, levels = 20): boolean {
  const { used = [] }: { readonly used?: unknown } = Object(value);
  const isUsed = (one: unknown): boolean => isObjectOrNull(one) && hasUsedList(one, levels - 1);
  return Array.isArray(used) && levels > 0 && used.every(isUsed);
}

/** As logs write it. `Date.parse` takes several times as long to say so. */
const usualInstant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const isInstant = (value: unknown): boolean =>
  isText(value) && (usualInstant.test(value) || !Number.isNaN(Date.parse(value)));
const isNumber = (value: unknown): value is number => typeof value === "number";
const isObjectOrNull = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";

/**
 * A record as if its payload had the caller's profile, where that was removed from it because the log keeps it under its hash, as it
 * does those of hosts. Its hashes are still those of the record as it was written.
 *
 * @param profile - what the log has under the record's `profileHash`; `undefined` if it has nothing
 */
export function withOwnProfile(record: DecisionRecord, profile: unknown): DecisionRecord {
  const { masked, payload } = record;
  const profilePointer = "/profile";
  if (payload === null || profile === undefined || !masked.includes(profilePointer)) return record;
  const others = masked.filter((pointer) => pointer !== profilePointer);
  return { ...record, masked: others, payload: { ...payload, profile } };
}
