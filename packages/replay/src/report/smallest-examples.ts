import type { ReplayExample } from "./replay-report.js";

/** Keeps the smallest examples, of equal ones the first. */
export class SmallestExamples {
  readonly #limit: number;
  readonly #kept: { readonly size: number; readonly example: ReplayExample }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @param make - called only where the example is kept */
  offer(size: number, make: () => ReplayExample): void {
    const kept = this.#kept;
    const last = kept[kept.length - 1];
    if (this.#limit === 0 || (kept.length === this.#limit && last !== undefined && last.size <= size)) return;
    const at = kept.findIndex((one) => one.size > size);
    kept.splice(at === -1 ? kept.length : at, 0, { size, example: make() });
    if (kept.length > this.#limit) kept.pop();
  }

  get examples(): readonly ReplayExample[] {
    return this.#kept.map(({ example }) => example);
  }
}
