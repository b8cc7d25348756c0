import type { DecisionRecord } from "@decern/core";
import type { Decided } from "../judge/evaluation.js";
import { versionKey } from "../judge/revision.js";
import type { MatrixCell, ReplayExample, Tally, Verdict, VersionCount } from "../report/replay-report.js";

/** Counts records by version. */
export class VersionCounter {
  readonly #counts = new Map<string, Decided & { records: number }>();

  add({ version, contentHash }: Decided): void {
    const key = versionKey(version, contentHash);
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { version, contentHash, records: 1 });
    else known.records += 1;
  }

  /** The most frequent first. */
  get versions(): readonly VersionCount[] {
    return [...this.#counts.values()]
      .map(({ version, contentHash, records }) =>
        contentHash === undefined ? { version, records } : { version, contentHash, records },
      )
      .sort((a, b) => b.records - a.records || (a.version < b.version ? -1 : 1));
  }
}

/** How many calls a record stands for. */
export function weightOf({ sampleRate }: DecisionRecord): number {
  return sampleRate > 0 && sampleRate < 1 ? 1 / sampleRate : 1;
}

/** An estimate as reports have it: without the digits that adding fractions leaves behind. */
function rounded(estimate: number): number {
  return Math.round(estimate * 1e6) / 1e6;
}

/** Counts records by their result, and the calls that they stand for. */
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

/** Keeps the smallest examples, of equal ones the first. */
class SmallestExamples {
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

interface Cell {
  readonly from: string;
  readonly to: string;
  unchanged: number;
  changed: number;
  estimatedUnchanged: number;
  estimatedChanged: number;
  readonly examples: SmallestExamples;
}

/** Counts records by what they went from and to. */
export class OutcomeMatrix {
  readonly #examples: number;
  readonly #cells = new Map<string, Map<string, Cell>>();

  /** @param examples - most of each cell */
  constructor(examples: number) {
    this.#examples = examples;
  }

  addUnchanged(outcome: string, weight: number): void {
    const cell = this.#cell(outcome, outcome);
    cell.unchanged += 1;
    cell.estimatedUnchanged += weight;
  }

  addChanged(from: string, to: string, weight: number, size: number, example: () => ReplayExample): void {
    const cell = this.#cell(from, to);
    cell.changed += 1;
    cell.estimatedChanged += weight;
    cell.examples.offer(size, example);
  }

  /** The most frequent first. */
  get cells(): readonly MatrixCell[] {
    return [...this.#cells.values()]
      .flatMap((row) => [...row.values()])
      .map(({ from, to, unchanged, changed, estimatedUnchanged, estimatedChanged, examples }) => ({
        from,
        to,
        unchanged,
        changed,
        estimatedUnchanged: rounded(estimatedUnchanged),
        estimatedChanged: rounded(estimatedChanged),
        examples: examples.examples,
      }))
      .sort((a, b) => b.unchanged + b.changed - (a.unchanged + a.changed) || order(a, b));
  }

  #cell(from: string, to: string): Cell {
    let row = this.#cells.get(from);
    if (row === undefined) {
      row = new Map();
      this.#cells.set(from, row);
    }
    let cell = row.get(to);
    if (cell === undefined) {
      const examples = new SmallestExamples(this.#examples);
      cell = { from, to, unchanged: 0, changed: 0, estimatedUnchanged: 0, estimatedChanged: 0, examples };
      row.set(to, cell);
    }
    return cell;
  }
}

function order(a: MatrixCell, b: MatrixCell): number {
  if (a.from !== b.from) return a.from < b.from ? -1 : 1;
  return a.to < b.to ? -1 : 1;
}
