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
  /** Maximum inputs per batch. @default 1000 */
  readonly maxItems?: number | undefined;
  /** How many batches are processed concurrently: while one is written, another is evaluated. @default 2 */
  readonly lanes?: number | undefined;
  /** Stops the worker: batches that it has are evaluated and committed, and no more are taken. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait if no input is available, in milliseconds. @default 500 */
  readonly idleMs?: number | undefined;
  /** Receives faults of the decision, and failed takes and commits. @default the console */
  readonly logger?: Logger | undefined;
  /** Receives batches and failures, for example for metrics. */
  readonly observer?: WorkerObserver | undefined;
  /** @default the system clock */
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
