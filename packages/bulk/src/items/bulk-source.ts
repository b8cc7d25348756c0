import type { SourceLoad } from "@decern/core";

/**
 * Where inputs come from and where their results go: a file, a table or a stream. A worker of `@decern/bulk` takes some inputs,
 * evaluates them, and commits their results.
 */
export interface BulkSource {
  /**
   * Takes inputs that no other worker holds. It may wait until there are some.
   *
   * @param max - most inputs to return
   * @param signal - aborted when the worker stops: return what there is, immediately
   * @returns no items if none are available now; `undefined` if the source has ended
   */
  take(max: number, signal: AbortSignal): Promise<TakenBatch | undefined>;
  /** The backlog, for metrics. */
  backlog?(): Promise<BulkBacklog>;
}

/** Inputs held by one worker until it commits their results or releases them. A worker that dies does neither. */
export interface TakenBatch {
  readonly items: readonly BulkItem[];
  /** The instant of their evaluations, in milliseconds since the Unix epoch. @default when the batch is evaluated */
  readonly epochMs?: number | undefined;
  /**
   * Stores the results, and that these inputs are done, together. After it has rejected, either all of it is stored or nothing
   * is. A source that cannot do both in one step stores results first, under ids that their place takes only once; what was
   * not noted as done is then taken again.
   *
   * @param results - one for each item, in the order of the items
   */
  commit(results: readonly BulkResult[]): Promise<void>;
  /** Gives the inputs back, so that another worker can take them. */
  release(): Promise<void>;
}

/** One input. */
export interface BulkItem {
  /** Identifies the input within its source, on every take: the key that makes a result unique. */
  readonly position: string;
  /** JSON text in UTF-8. */
  readonly bytes: Uint8Array;
}

/** Status of one input's result. `INVALID_JSON` means that it is not valid JSON, `ERROR` an error of the decision. */
export type BulkStatus = "OK" | "NO_MATCH" | "INVALID_INPUT" | "INVALID_JSON" | "ERROR";

/** The result of one input. */
export interface BulkResult {
  readonly position: string;
  readonly status: BulkStatus;
  /** JSON text on one line, without a line break. */
  readonly text: string;
}

/** The backlog of a source. */
export interface BulkBacklog {
  /** Inputs that have no result yet. */
  readonly items: number;
  /** Dead letters: inputs that failed too often. */
  readonly dead: number;
  /** Age of the oldest pending input, in seconds; 0 if none is pending, `undefined` if unknown. */
  readonly oldestSeconds: number | undefined;
}

/** Watches a worker. */
export interface WorkerObserver {
  /** A batch was committed. */
  onCommitted?(batch: CommittedBatch): void;
  /** A take or a commit failed. The worker tries again. */
  onFailure?(error: unknown): void;
  /** A watched set of decisions was taken into use, or could not be. */
  onDecisionsLoaded?(load: SourceLoad): void;
}

/** How many inputs of a batch got each status. */
export interface CommittedBatch {
  readonly counts: Readonly<Record<BulkStatus, number>>;
  /** From the first evaluation to the end of the commit, in seconds. */
  readonly seconds: number;
}
