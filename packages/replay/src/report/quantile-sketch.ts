/** Each bucket's bounds are so far apart that its middle is within 1 % of everything in it. */
const growth = Math.log(1.01 / 0.99);

/** Weighted quantiles of numbers other than zero, each within 1 %. It grows with their orders of magnitude only. */
export class QuantileSketch {
  readonly #positive = new Map<number, number>();
  readonly #negative = new Map<number, number>();
  #weight = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  add(value: number, weight: number): void {
    const buckets = value < 0 ? this.#negative : this.#positive;
    const bucket = Math.ceil(Math.log(Math.abs(value)) / growth);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + weight);
    this.#weight += weight;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  get min(): number {
    return this.#min;
  }

  get max(): number {
    return this.#max;
  }

  /** The smallest value that is not exceeded by so large a share. */
  quantile(share: number): number {
    let left = share * this.#weight;
    for (const [bucket, weight] of sorted(this.#negative, -1)) {
      left -= weight;
      if (left <= 0) return this.#within(-middle(bucket));
    }
    for (const [bucket, weight] of sorted(this.#positive, 1)) {
      left -= weight;
      if (left <= 0) return this.#within(middle(bucket));
    }
    return this.#max;
  }

  #within(value: number): number {
    return Math.min(this.#max, Math.max(this.#min, value));
  }
}

function middle(bucket: number): number {
  // Of the bounds `exp(growth * (bucket - 1))` and `exp(growth * bucket)`, so that the relative distance to both is equal.
  const upper = Math.exp(growth * bucket);
  return (2 * upper) / (1 + Math.exp(growth));
}

function sorted(
  buckets: ReadonlyMap<number, number>,
  direction: 1 | -1,
): readonly (readonly [number, number])[] {
  return [...buckets].sort(([a], [b]) => (a - b) * direction);
}
