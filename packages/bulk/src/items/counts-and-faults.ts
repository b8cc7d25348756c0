import type { Logger } from "@decern/core";
import type { BulkStatus } from "./bulk-source.js";

/** How many results have each status. */
export type StatusCounts = Record<BulkStatus, number>;

export const noCounts: Readonly<StatusCounts> = Object.freeze({
  OK: 0,
  NO_MATCH: 0,
  INVALID_INPUT: 0,
  INVALID_JSON: 0,
  ERROR: 0,
});

export function countStatuses(results: Iterable<{ readonly status: BulkStatus }>): StatusCounts {
  const counts = { ...noCounts };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

/** Adds `more` to `counts`. */
export function addCounts(counts: StatusCounts, more: Readonly<StatusCounts>): void {
  counts.OK += more.OK;
  counts.NO_MATCH += more.NO_MATCH;
  counts.INVALID_INPUT += more.INVALID_INPUT;
  counts.INVALID_JSON += more.INVALID_JSON;
  counts.ERROR += more.ERROR;
}

/** How many results were counted. */
export function itemsOf({
  OK,
  NO_MATCH,
  INVALID_INPUT,
  INVALID_JSON,
  ERROR,
}: Readonly<StatusCounts>): number {
  return OK + NO_MATCH + INVALID_INPUT + INVALID_JSON + ERROR;
}

/** An error of the decision, as it can go from thread to thread. */
export interface LineFault {
  readonly line: string;
  readonly error: unknown;
}

/** So many errors are logged one by one. */
const mostLogged = 5;

/** Logs the first errors of a decision. The rest are counted: a rule that fails may fail a hundred million times. */
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

  /** @param faults - how many there were */
  end(faults: number): void {
    if (faults > this.#logged) this.#logger.error({ faults }, "The decision failed for some lines");
  }
}
