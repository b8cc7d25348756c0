import type { Logger } from "@decern/core";
import type { BulkStatus } from "./bulk-source.js";

export type StatusCounts = Record<BulkStatus, number>;

export const noCounts: Readonly<StatusCounts> = Object.freeze({
  OK: 0,
  NO_MATCH: 0,
  INVALID_INPUT: 0,
  INVALID_JSON: 0,
  ERROR: 0,
});

export const statuses = ["OK", "NO_MATCH", "INVALID_INPUT", "INVALID_JSON", "ERROR"] as const;

export function countStatuses(results: Iterable<{ readonly status: BulkStatus }>): StatusCounts {
  const counts = { ...noCounts };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

export function addCounts(counts: StatusCounts, more: Readonly<StatusCounts>): void {
  for (const status of statuses) counts[status] += more[status];
}

export function itemsOf(counts: Readonly<StatusCounts>): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0);
}

export interface LineFault {
  readonly line: string;
  readonly error: unknown;
}

/** This many errors are logged one by one. */
const mostLogged = 5;

/** Logs the first errors of a decision and counts the rest: a failing rule may fail a hundred million times. */
export class FaultReports {
  readonly #logger: Logger;
  #logged = 0;

  /** @param logger - must not throw */
  constructor(logger: Logger) {
    this.#logger = logger;
  }

  readonly add = ({ line, error }: LineFault): void => {
    if (this.#logged === mostLogged) return;
    this.#logged += 1;
    this.#logger.error({ err: error, line }, "The decision failed for a line");
  };

  end(faults: number): void {
    if (faults > this.#logged) this.#logger.error({ faults }, "The decision failed for some lines");
  }
}
