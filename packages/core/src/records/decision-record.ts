import type { SelectedBy } from "../hooks/request-view.js";

export type { SelectedBy };

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
  /** Who asked; absent where nobody was asked. */
  readonly caller?: string;
  readonly decision: { readonly id: string; readonly version: string };
  /** The host's build, such as a commit. */
  readonly build?: string;
  /** SHA-256 of the canonical JSON of the profile that was used. */
  readonly profileHash: string;
  readonly selectedBy: SelectedBy;
  /** Of a shadow: `recordId` of the call beside which it ran. Absent where that call was not recorded. */
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
  /** What the caller was told of a fault or a refusal. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The decisions that rules evaluated, in order. */
  readonly used?: readonly UsedRecord[];
}

/** One decision that another one evaluated. */
export interface UsedRecord {
  readonly id: string;
  readonly version: string;
  readonly profileHash: string;
  readonly result: unknown;
  readonly used?: readonly UsedRecord[];
}
