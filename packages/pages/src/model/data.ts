import type { DecisionInfo, DecisionRecord, DecisionSchema, LogicContent, UsedRecord } from "@decern/core";

/** The first data that the docs page loads. */
export interface DocsCatalogue {
  /** Whether calls must carry an API key. */
  readonly secured: boolean;
  /** Whether calls may carry a profile. */
  readonly profileOverride: boolean;
  /** Whether such a profile is merged into the host's. Absent where it replaces it. */
  readonly profileMerge?: true;
  /** Whether the server tells what would change a result. Absent where it does not. */
  readonly explains?: true;
  /** Present where the page may evaluate while somebody edits, on the routes under `/docs/live`. */
  readonly live?: true;
  /** Present where the host takes drafts of tables, from who may look at records. */
  readonly publishes?: true;
  /** Other pages of the service that the page links to, relative to the page. */
  readonly links: DocsLinks;
  readonly decisions: readonly DocsListEntry[];
}

/** URLs of other pages. Absent where the host does not serve one. */
export interface DocsLinks {
  readonly openapi?: string;
  readonly swagger?: string;
  readonly records?: string;
}

/** A decision as the page's list shows it: as little as the list, its search and the version menu need. */
export interface DocsListEntry extends Omit<DecisionInfo, "meta"> {
  /** `meta.owner`, where that is a text. */
  readonly owner?: string;
  /** `meta.tags`, where that is a list of texts. */
  readonly tags?: readonly string[];
  /** Ids of the default version's rules, in order. */
  readonly ruleIds: readonly string[];
  /** Of the document that the default version was made from. Absent where it is a list of rules. */
  readonly mediaType?: string;
  /** Absent where there is only one version. */
  readonly versions?: readonly DocsVersion[];
  /** Whether the host chooses the version of each call that names none. Absent where that is always the default. */
  readonly selects?: true;
}

/**
 * The fields of every decision, by its id. Only the search needs them, so the page loads them when somebody searches: reading
 * the schemas of thousands of decisions takes seconds.
 */
export type DocsFields = Readonly<Record<string, readonly DocsField[]>>;

/** A property somewhere in a decision's schemas. */
export interface DocsField {
  readonly name: string;
  /** Present where it differs from the name. */
  readonly title?: string;
}

/** One version that the host serves. */
export interface DocsVersion {
  readonly version: string;
  /** Present on the default version. */
  readonly default?: true;
  /** Present where the version will go away. */
  readonly deprecated?: DocsDeprecation;
}

/** When a version goes away. Dates are ISO 8601, UTC. */
export interface DocsDeprecation {
  readonly since: string;
  readonly sunset?: string;
  readonly link?: string;
}

/** The data that the docs page loads when a version of a decision is opened. */
export interface DocsDecision extends DecisionInfo, DecisionSchema {
  /** Every version of this id. */
  readonly versions: readonly DocsVersion[];
  /** Of the document that a decision of `logic` was made from, which has a route of its own. */
  readonly mediaType?: string;
  /** The set that a source has loaded it in. Absent where decisions never change. */
  readonly loaded?: DocsRevision;
  /** Ids of the rules, in order. */
  readonly ruleIds: readonly string[];
  /** What its rules are for, by rule id. Absent where no rule says so. */
  readonly ruleDescriptions?: Readonly<Record<string, string>>;
  /** The decisions that its rules may evaluate. */
  readonly uses: readonly { readonly id: string; readonly version: string }[];
  /** The profile of calls that carry none. Absent until the host has loaded its profiles. */
  readonly defaultProfile?: unknown;
  /** The profiles that callers may choose by name. */
  readonly namedProfiles: readonly DocsNamedProfile[];
}

/** A set of decisions that is in use. */
export interface DocsRevision {
  /** The set's own name, if it has one. */
  readonly revision?: string;
  /** The kind of place that it was loaded from, such as `file`. */
  readonly source?: string;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * What a decision of `logic` was made from. The schemas are those that it sees: what validation makes of an input and of a profile,
 * and what it takes as an output.
 */
export interface DocsContent extends LogicContent, Pick<DecisionSchema, SchemaName> {}

type SchemaName = "inputSchema" | "outputSchema" | "profileSchema";

/** A profile that callers may choose by name. */
export interface DocsNamedProfile {
  readonly name: string;
  readonly profile: unknown;
}

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
  /** With their inputs and results. A page then has fewer records than `limit` where they are long. @default false */
  readonly payloads?: boolean | undefined;
  /** With how many records there are on all pages. @default false */
  readonly total?: boolean | undefined;
  /** Whether to tell of what is in the log and can't be read. Searches of files then take longer. @default false */
  readonly unreadable?: boolean | undefined;
  /** The `next` of the page before. */
  readonly before?: string | undefined;
}

/** The reply to `POST /records/search`: records that match a search, newest first. */
export interface RecordsPage {
  readonly records: readonly RecordSummary[];
  /** Send it as `before` to get the next page. `null` on the last one. */
  readonly next: string | null;
  /** Where it was asked for: counted to 10,000, and for a second. There are more where it is not exact. */
  readonly total?: { readonly records: number; readonly isExact: boolean };
  /** Where it was asked for: whether something in the log could not be read, so that records may be missing. */
  readonly unreadable?: boolean;
  /** Where payloads were asked for: the host's profiles that the records were made under, by their hash, as far as they are kept. */
  readonly profiles?: Readonly<Record<string, unknown>>;
}

/** A record as the list shows it: without its payload, unless that was asked for. */
export interface RecordSummary extends Omit<DecisionRecord, "payload"> {
  readonly payload?: DecisionRecord["payload"];
  /** False after erasure, and where the payload could not be masked. */
  readonly hasPayload: boolean;
  /** What the caller saw of an error or a refusal. Absent on every other status. */
  readonly errorCode?: string;
  /**
   * The first outputs that are a number, a short text or a boolean; of an only output that is an object, its first such members.
   * Absent where there are none.
   */
  readonly output?: Readonly<Record<string, unknown>>;
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
  /** The recorded version. `null` when that version is not served any more. */
  readonly recorded: RecordedVersion | null;
  /** The versions that it can be evaluated again with. */
  readonly versions: readonly DocsVersion[];
  /** The host's named profiles, by version. A version without any is absent. */
  readonly profileNames: Readonly<Record<string, readonly string[]>>;
}

/** What the page says of a record with: what its author calls things, and which rules there are. */
type RecordedVersion = Pick<
  DocsDecision,
  "meta" | "ruleIds" | "ruleDescriptions" | "inputSchema" | "outputSchema" | "profileSchema"
>;

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
  /** The evaluation failed. As a caller would see it. */
  readonly error?: { readonly code: string; readonly message: string };
  /** The decisions that rules evaluated, in order, as records have them. */
  readonly used: readonly UsedRecord[];
  readonly revision: { readonly version: string; readonly profileHash: string };
  /** The profile that was used. */
  readonly profile: unknown;
  /** Whether status, rule and output, or the code of the error, are those of the record. */
  readonly unchanged: boolean;
  /** Present where a rule may need what was masked: then neither the outcome nor `unchanged` proves anything. */
  readonly inconclusive?: true;
  /** How many masked values no rule looked at. Absent where none were masked, and where it is inconclusive. */
  readonly unread?: number;
}
