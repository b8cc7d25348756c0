import type { BulkStatus } from "@decern/core";

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
