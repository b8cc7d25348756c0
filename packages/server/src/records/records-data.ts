import type { DecisionRecord, UsedRecord } from "@decern/core";
import type { DocsVersion } from "../docs/docs-data.js";

/** The body of `POST /records/search`. Records match all of its conditions. */
export interface RecordsSearchRequest {
  /** A day, such as `2026-03-03`, or an instant. */
  readonly from?: string | undefined;
  /** The first day or instant after those that are searched. */
  readonly to?: string | undefined;
  readonly decision?: string | undefined;
  readonly version?: string | undefined;
  readonly status?: string | undefined;
  readonly rule?: string | undefined;
  readonly requestId?: string | undefined;
  readonly recordId?: string | undefined;
  /** The person concerned, as the host names them. */
  readonly subject?: string | undefined;
  readonly caller?: string | undefined;
  /** From 1 to 200. @default 50 */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly before?: string | undefined;
}

/** The reply to `POST /records/search`: records that match a search, newest first. */
export interface RecordsPage {
  readonly records: readonly RecordSummary[];
  /** Send it as `before` to get the next page. `null` on the last one. */
  readonly next: string | null;
}

/** A record as the list shows it: without its payload. */
export interface RecordSummary extends Omit<DecisionRecord, "payload"> {
  /** False after erasure, and where the payload could not be masked. */
  readonly hasPayload: boolean;
  /** What the caller was told of a fault or a refusal. Absent on every other status. */
  readonly errorCode?: string;
}

/** The reply to `GET /records/data/:recordId`. */
export interface RecordDetail {
  readonly record: DecisionRecord;
  /** The profile that was used. Absent where it is not kept any more, and where it was not recorded. */
  readonly profile?: unknown;
  /** `null` when the server does not serve the decision any more. */
  readonly decision: RecordedDecision | null;
}

/** What the server knows today of the decision in a record. */
export interface RecordedDecision {
  /** Ids of the rules of the recorded version, in order. `null` when that version is not served any more. */
  readonly ruleIds: readonly string[] | null;
  /** The versions that it can be evaluated again with. */
  readonly versions: readonly DocsVersion[];
  /** The host's named profiles, by version. A version without any is absent. */
  readonly profileNames: Readonly<Record<string, readonly string[]>>;
}

/** The body of `POST /records/data/:recordId/evaluate`. At most one of the profiles may be given. */
export interface ReevaluationRequest {
  /** @default the recorded version, if the server still serves it */
  readonly version?: string;
  /** @default the recorded profile */
  readonly profile?: unknown;
  /** One of the host's named profiles. */
  readonly profileName?: string;
  /** The host's profile for calls that name none. */
  readonly hostProfile?: true;
}

/** The reply to `POST /records/data/:recordId/evaluate`. It has either an envelope or an error. */
export interface Reevaluation {
  readonly envelope?: unknown;
  /** The evaluation failed. As a caller would be told. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The decisions that rules evaluated, in order, as records have them. */
  readonly used: readonly UsedRecord[];
  readonly revision: { readonly version: string; readonly profileHash: string };
  /** The profile that was used. */
  readonly profile: unknown;
  /** Whether status, rule and output, or the code of the error, are those of the record. */
  readonly unchanged: boolean;
  /** Present where something of the record was masked: then neither the outcome nor `unchanged` proves anything. */
  readonly inconclusive?: true;
}
