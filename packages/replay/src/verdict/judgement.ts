import type { DecisionRecord } from "@decern/core";
import type { Verdict } from "../report/replay-report.js";
import type { Ending } from "./ending.js";

/** What became of one record. */
export interface Judgement {
  readonly verdict: Verdict;
  /** For everything but `unchanged` and `changed`. */
  readonly reason: string | undefined;
  /** Whether an evaluation on the recorded revision was held against the record. */
  readonly isControlled: boolean;
  /** Absent where there was nothing to compare. */
  readonly before: Ending | undefined;
  /** Of an unchanged record it has the same output as `before`. */
  readonly after: Ending | undefined;
  readonly isExplainedDifferently: boolean;
}

/** A profile that has to be loaded first. */
export class NeededProfile {
  readonly hash: string;

  constructor(hash: string) {
    this.hash = hash;
  }
}

/** Whether a payload was erased. One that was never written is masked as a whole. */
export function isErased({ payload, masked }: DecisionRecord): boolean {
  return payload === null && !masked.includes("");
}

/** A record that there is nothing to compare of. */
export function withoutComparison(
  verdict: "skipped" | "inconclusive" | "notReproducible",
  reason: string,
  isControlled = false,
): Judgement {
  return {
    verdict,
    reason,
    isControlled,
    before: undefined,
    after: undefined,
    isExplainedDifferently: false,
  };
}

/** A record that the control run does not confirm. */
export function notReproducible(difference: string): Judgement {
  return withoutComparison("notReproducible", difference, true);
}
