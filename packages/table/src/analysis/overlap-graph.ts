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
