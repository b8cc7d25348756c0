import type { DecisionRecord } from "@decern/core";
import type { Tally, Verdict, VersionCount } from "../report/replay-report.js";

/** Counts records by version. */
export class VersionCounter {
  readonly #records = new Map<string, number>();

  add(version: string): void {
    this.#records.set(version, (this.#records.get(version) ?? 0) + 1);
  }

  /** The most frequent first. */
  get versions(): readonly VersionCount[] {
    return [...this.#records]
      .map(([version, records]) => ({ version, records }))
      .sort((a, b) => b.records - a.records || (a.version < b.version ? -1 : 1));
  }
}

/** How many calls a record stands for. */
export function weightOf({ sampleRate }: DecisionRecord): number {
  return sampleRate > 0 && sampleRate < 1 ? 1 / sampleRate : 1;
}

/** An estimate as reports have it: without the digits that adding fractions leaves behind. */
export function rounded(estimate: number): number {
  return Math.round(estimate * 1e6) / 1e6;
}

/** Counts records by their verdict, and the calls that they stand for. */
export class TallyCounter {
  readonly #counts: Record<Verdict, number> = emptyTally();
  readonly #estimated: Record<Verdict, number> = emptyTally();

  add(verdict: Verdict, weight: number): void {
    this.#counts[verdict] += 1;
    this.#estimated[verdict] += weight;
  }

  get counts(): Tally {
    return { ...this.#counts };
  }

  get estimated(): Tally {
    const { unchanged, changed, notReproducible, inconclusive, failed, skipped } = this.#estimated;
    return {
      unchanged: rounded(unchanged),
      changed: rounded(changed),
      notReproducible: rounded(notReproducible),
      inconclusive: rounded(inconclusive),
      failed: rounded(failed),
      skipped: rounded(skipped),
    };
  }

  /** Records that were compared. */
  get compared(): number {
    const { unchanged, changed, failed } = this.#counts;
    return unchanged + changed + failed;
  }

  /** The calls that were compared. */
  get comparedCalls(): number {
    const { unchanged, changed, failed } = this.#estimated;
    return unchanged + changed + failed;
  }

  /** The share of the compared calls that changed or failed; 0 where there are none. */
  get share(): number {
    const { changed, failed } = this.#estimated;
    return this.comparedCalls === 0 ? 0 : (changed + failed) / this.comparedCalls;
  }
}

function emptyTally(): Record<Verdict, number> {
  return { unchanged: 0, changed: 0, notReproducible: 0, inconclusive: 0, failed: 0, skipped: 0 };
}
