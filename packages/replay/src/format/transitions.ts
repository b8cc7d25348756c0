import type { Comparison, MatrixCell } from "../report/replay-report.js";

/** The cells of a matrix in which results changed, the most frequent first. */
export function transitions({ matrix }: Comparison): readonly MatrixCell[] {
  return matrix.filter(({ changed }) => changed > 0).toSorted((a, b) => b.changed - a.changed);
}

/** Whether status and rule are the same, so that only the output differs. */
export function isSameOutcome({ from, to }: MatrixCell): boolean {
  return from === to;
}
