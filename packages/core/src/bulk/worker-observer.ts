import type { BulkStatus } from "./bulk-source.js";

/** Watches a worker. */
export interface WorkerObserver {
  /** A batch was committed. */
  onCommitted?(batch: CommittedBatch): void;
  /** A take or a commit failed. The worker tries again. */
  onFailure?(error: unknown): void;
}

/** How many inputs of a batch got each status. */
export interface CommittedBatch {
  readonly counts: Readonly<Record<BulkStatus, number>>;
  /** From the first evaluation to the end of the commit, in seconds. */
  readonly seconds: number;
}
