import type { Logger } from "../base/logger.js";
import type { feature } from "../base/options.js";
import type { LogicContent } from "../decision/logic.js";
import type { EvaluationObserver } from "./hooks.js";
import type { DecisionRecord, Recorder, RecordStatus, UnreadableRecord } from "./records.js";

/** What hosts need of a log that keeps a record of every evaluation. `decisionLog` of `@decern/decision-log` makes one. */
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
  /** What a decision of `logic` was made from, by its `contentHash`; `undefined` when no record has it. */
  content(hash: string): Promise<LogicContent | undefined>;
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

/** What to look for: every condition that is given must hold. */
export interface RecordConditions {
  /** The first instant. */
  readonly from?: Date | undefined;
  /** The first instant that is too late. */
  readonly to?: Date | undefined;
  /** Id of the decision. */
  readonly decision?: string | undefined;
  readonly version?: string | undefined;
  readonly status?: RecordStatus | undefined;
  /** Id of the rule that matched. */
  readonly rule?: string | undefined;
  readonly requestId?: string | undefined;
  readonly recordId?: string | undefined;
  readonly caller?: string | undefined;
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
