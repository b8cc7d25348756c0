import type { DecisionRecord } from "@decern/core";

/** How many calls a record stands for. */
export function weightOf({ sampleRate }: DecisionRecord): number {
  return sampleRate > 0 && sampleRate < 1 ? 1 / sampleRate : 1;
}

/** An estimate as reports have it: without the digits that adding fractions leaves behind. */
export function rounded(estimate: number): number {
  return Math.round(estimate * 1e6) / 1e6;
}
