import type {
  BulkSource,
  BulkStatus,
  Clock,
  Decision,
  Logger,
  ProfilesOf,
  WorkerObserver,
} from "@decern/core";
import type { Emit } from "../emit.js";

/** Options of `runWorker`. */
export interface WorkerOptions<D extends Decision = Decision> {
  readonly decision: D;
  readonly source: BulkSource;
  /** By decision id: for this decision and those that it uses. @default their own */
  readonly profiles?: ProfilesOf<readonly [D]> | undefined;
  /** How much of a result is written. @default "compact" */
  readonly emit?: Emit | undefined;
  /** Most inputs that are taken at once. @default 1000 */
  readonly maxItems?: number | undefined;
  /** How many batches are taken, evaluated and committed side by side: while one is written, another is evaluated. @default 2 */
  readonly lanes?: number | undefined;
  /** Stops the worker: batches that it has are evaluated and committed, and no more are taken. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait where there is nothing to take, in milliseconds. @default 500 */
  readonly idleMs?: number | undefined;
  /** Told of faults of the decision, and of takes and commits that failed. @default the console */
  readonly logger?: Logger | undefined;
  /** Told of what happened, such as for metrics. */
  readonly observer?: WorkerObserver | undefined;
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
}

/** What a worker did. */
export interface WorkerSummary {
  readonly items: number;
  readonly counts: Readonly<Record<BulkStatus, number>>;
  readonly batches: number;
  /** Takes and commits that failed. */
  readonly failures: number;
}
