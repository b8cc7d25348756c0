import type { VersionCount } from "./replay-report.js";

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
