import type { TableOverlap } from "./findings.js";

/** Overlaps beyond these aren't kept. */
const most = 1_000_000;

/** Which rows overlap. */
export class OverlapGraph {
  /** Whether there are too many overlaps to keep. */
  isCut = false;
  readonly #others: number[][];
  #count = 0;

  constructor(size: number) {
    this.#others = Array.from({ length: size }, () => []);
  }

  add(row: number, others: readonly number[]): void {
    this.#count += others.length;
    this.isCut ||= this.#count > most;
    if (this.isCut) return;
    for (const other of others) {
      this.#others[row]?.push(other);
      this.#others[other]?.push(row);
    }
  }

  /**
   * Rows of which no two overlap, and which cover much together: those that are large and overlap few others first.
   *
   * @param sizeOf - how much a row covers
   */
  disjoint(sizeOf: (row: number) => number): ReadonlySet<number> {
    const chosen = new Set<number>();
    if (this.isCut) return chosen;
    const worth = this.#others.map((others, row) => sizeOf(row) / (others.length + 1));
    for (const row of [...this.#others.keys()].sort((one, other) => (worth[other] ?? 0) - (worth[one] ?? 0)))
      if (!this.#others[row]?.some((other) => chosen.has(other))) chosen.add(row);
    return chosen;
  }
}

/** Overlaps, those that the policy forbids apart from the others, so that none crowds out the other. */
export class Overlaps {
  readonly unsure = new Set<number>();
  readonly invalid = new Set<number>();
  isCut = false;
  readonly #limit: number;
  readonly #errors: TableOverlap[] = [];
  readonly #others: TableOverlap[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether nothing that follows would be listed. */
  isFull(mayHaveErrors: boolean): boolean {
    return this.isCut && (!mayHaveErrors || this.#errors.length >= this.#limit);
  }

  get found(): readonly TableOverlap[] {
    return [...this.#errors, ...this.#others];
  }

  hasRoom(isError: boolean): boolean {
    const hasRoom = (isError ? this.#errors : this.#others).length < this.#limit;
    this.isCut ||= !hasRoom;
    return hasRoom;
  }

  add(overlap: TableOverlap): void {
    (overlap.isError ? this.#errors : this.#others).push(overlap);
  }
}
