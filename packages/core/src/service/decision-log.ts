import type { Logger } from "../base/logger.js";
import type { feature } from "../base/options.js";
import type { EvaluationObserver } from "./hooks.js";
import type { RecordConditions, StoreStats } from "./record-store.js";
import type { DecisionRecord, Recorder, UnreadableRecord } from "./records.js";

/** Keeps a record of every evaluation. `decisionLog` of `@decern/decision-log` makes one. */
export interface DecisionLog {
  readonly [feature]: "decision-log";
  /** Whether a call would be evaluated now. */
  readonly isAvailable: boolean;
  /** Starts to record for one host. The store is opened when the first host attaches. It never throws. */
  attach(host: RecordingHost): Recorder;
  /** Streams records, in the order in which they were written unless the query says otherwise. */
  find(query?: RecordQuery): AsyncIterable<DecisionRecord>;
  /** A profile of the host, or one that a batch shared, by its hash; `undefined` when no record used it. */
  profile(hash: string): Promise<unknown>;
  /** Removes everything about a person, and leaves every chain whole. */
  erase(query: { readonly subject: string }): Promise<{ readonly records: number }>;
  /** Checks every record and every chain. Its memory grows by about 20 bytes a record, up to 400 MB. */
  verify(options?: VerifyOptions): Promise<Verification>;
  stats(): Promise<StoreStats>;
  /** Resolves once every record taken so far is on disk, or lost and reported. */
  flush(): Promise<void>;
  /** Flushes, then frees the store. Nothing is recorded afterwards. */
  close(): Promise<void>;
}

/** Whose evaluations are recorded. */
export interface RecordingHost {
  readonly logger: Required<Logger>;
  /** Told how many records were written, lost and refused. */
  readonly observers: readonly EvaluationObserver[];
}

export interface RecordQuery extends RecordConditions {
  /** The person concerned, as the host names them. */
  readonly subject?: string | undefined;
  /** Newest first, by the time of the record. @default false */
  readonly newestFirst?: boolean | undefined;
  /** Most records to return. @default all */
  readonly limit?: number | undefined;
  /**
   * Told what was left out because it isn't a record. Files then tell of every line of the time asked for, whatever the other
   * conditions, and such a search takes longer; a database tells of rows that match.
   */
  readonly onUnreadable?: ((record: UnreadableRecord) => void) | undefined;
}

export interface VerifyOptions {
  /** Hashes that records must have: heads of chains, as the operational log has them. @default none */
  readonly heads?: readonly string[] | undefined;
  /** Called for every record with their number so far. */
  readonly onRecord?: ((records: number) => void) | undefined;
}

/** What came of checking a log. */
export interface Verification {
  /** Whether nothing is wrong. */
  readonly ok: boolean;
  readonly records: number;
  /** Heads of the chains, to compare with those in the operational log: a cut-off tail shows there only. */
  readonly chains: readonly VerifiedChain[];
  /** Chains of erasures, whose `records` are erasures. */
  readonly erasures: readonly VerifiedChain[];
  /** The first ones; a log that was overwritten may have millions. */
  readonly problems: readonly VerificationProblem[];
  readonly problemCount: number;
  /** Those given heads that no record has: the end of their chain was cut off. */
  readonly missingHeads: readonly string[];
  /** Records whose id was only compared with those before them: there were too many to remember. */
  readonly unrememberedIds: number;
}

/** One chain that was checked. */
export interface VerifiedChain {
  readonly name: string;
  readonly records: number;
  readonly head: string | null;
  /** Records whose payload was erased, or never written. */
  readonly withoutPayload: number;
  /**
   * Records up to the last given head, which proves them: none where no head of the chain was given. Absent where no head was
   * given at all.
   */
  readonly upToHead?: number;
}

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
   * - `erasure`: the payload is not there, and no erasure accounts for it
   * - `duplicate`: a record with its id came before
   * - `copy`: what the store searches by is not as in the record
   */
  readonly kind: "unreadable" | "payload" | "hash" | "chain" | "profile" | "erasure" | "duplicate" | "copy";
  readonly message: string;
}
