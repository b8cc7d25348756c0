import type { Reason } from "./replay-report.js";

/** Most different reasons that are counted. */
const maxReasons = 1000;

/** Counts why records could not be compared, or failed. */
export class ReasonCounter {
  readonly #reasons = new Map<string, { readonly reason: Omit<Reason, "records">; records: number }>();

  add(verdict: Reason["verdict"], decisionId: string, text: string): void {
    const counted = this.#of(verdict, decisionId, text);
    counted.records += 1;
  }

  /** The most frequent first. */
  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()]
      .map(({ reason, records }) => ({ ...reason, records }))
      .sort((a, b) => b.records - a.records);
  }

  #of(verdict: Reason["verdict"], decisionId: string, text: string): { records: number } {
    const key = `${verdict}\n${decisionId}\n${text}`;
    const known = this.#reasons.get(key);
    if (known !== undefined) return known;
    if (this.#reasons.size >= maxReasons && text !== other) return this.#of(verdict, decisionId, other);
    const counted = { reason: { verdict, decisionId, reason: text }, records: 0 };
    this.#reasons.set(key, counted);
    return counted;
  }
}

const other = "another reason";
