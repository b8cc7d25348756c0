import type { BulkItem, BulkResult } from "@decern/core";
import type { Attempt, FailedAttempt } from "../attempts/attempts.js";
import type { PostgresClient } from "../pool.js";
import type { BatchTransaction } from "./batch-transaction.js";
import type { Statement } from "./statement.js";

/** What workers take inputs from: what an inbox and a job each do in their own way. */
export interface Work {
  /** Names it among the attempts. */
  readonly source: string;
  /** Parameter `$1` of {@link suspects}. */
  readonly name: string;
  /** SQL for `'yes'` where inputs wait that were tried before. */
  readonly suspects: string;
  /** Locks the next inputs that nobody has. @returns `undefined` where there are none */
  lock(transaction: BatchTransaction, isSuspect: boolean, max: number): Promise<LockedBatch | undefined>;
  /** Counts a try of the inputs of an attempt that failed. */
  blame(client: PostgresClient, attempt: FailedAttempt): Promise<void>;
}

/** Inputs that a transaction has locked. */
export interface LockedBatch {
  readonly items: readonly BulkItem[];
  readonly epochMs?: number | undefined;
  /** How to find them again after the worker has died. */
  readonly attempt: Attempt;
  /** Makes the statement that stores results and progress. It reports as many rows as there are items. */
  store(results: readonly BulkResult[]): Statement;
}
