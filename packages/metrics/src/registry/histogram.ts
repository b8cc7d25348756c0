/** One series of a histogram. Its buckets are not cumulative; reading adds them up. */
export class Histogram {
  /** As {@link labelText} writes them. */
  readonly labels: string;
  readonly #bounds: readonly number[];
  readonly #buckets: number[];
  #sum = 0;

  /** @param bounds - ascending and finite */
  constructor(labels: string, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#buckets = new Array<number>(bounds.length + 1).fill(0);
  }

  /** @param value - finite */
  observe(value: number): void {
    const index = bucketOf(this.#bounds, value);
    this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    this.#sum += value;
  }

  get sum(): number {
    return this.#sum;
  }

  get count(): number {
    return this.#buckets.reduce((total, count) => total + count, 0);
  }

  /** How many values were at most each bound; the last entry is the count of all. */
  cumulative(): readonly number[] {
    let total = 0;
    return this.#buckets.map((count) => {
      total += count;
      return total;
    });
  }
}

/** Index of the first bound that is not below `value`. A bound is part of its own bucket. */
function bucketOf(bounds: readonly number[], value: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value <= (bounds[middle] ?? Number.POSITIVE_INFINITY)) high = middle;
    else low = middle + 1;
  }
  return low;
}
