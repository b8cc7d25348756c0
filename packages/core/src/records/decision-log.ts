import type { Logger } from "../evaluation/logger.js";
import type { EvaluationObserver } from "../hooks/observer.js";
import type { feature } from "../host/ports.js";
import type { DecisionRecord } from "./decision-record.js";
import type { RecordConditions, StoreStats } from "./record-store.js";
import type { Recorder } from "./recorder.js";

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
  /** Checks every record and every chain. */
  verify(): Promise<Verification>;
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
}

/** What came of checking a log. */
export interface Verification {
  /** Whether nothing is wrong. */
  readonly ok: boolean;
  readonly records: number;
  /** Heads of the chains, to compare with those in the operational log: a cut-off tail shows there only. */
  readonly chains: readonly {
    readonly name: string;
    readonly records: number;
    readonly head: string | null;
  }[];
  /** The first ones; a log that was overwritten may have millions. */
  readonly problems: readonly VerificationProblem[];
  readonly problemCount: number;
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
   */
  readonly kind: "unreadable" | "payload" | "hash" | "chain";
  readonly message: string;
}
