import { escapePointer, isJsonObject } from "@decern/core/schema";
import type { NumberShift } from "../report/replay-report.js";

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

/** Most places of an output that are looked at. An output whose names are data has any number of them. */
const maxPlaces = 1000;

interface Place {
  readonly pointer: string;
  readonly members: Map<string, Place>;
  weight: number;
  before: number;
  after: number;
  higher: number;
  lower: number;
  differences: QuantileSketch | undefined;
}

/** Follows the numbers of outputs. */
export class NumberShifts {
  readonly #root = placeAt("");
  #places = 1;

  /** Adds an output before and after. */
  add(before: unknown, after: unknown, weight: number): void {
    this.#pair(before, after, this.#root, weight);
  }

  /** The numbers that differ somewhere. */
  get shifts(): readonly NumberShift[] {
    const shifts: NumberShift[] = [];
    const collect = (place: Place): void => {
      const { pointer, higher, lower, before, after, weight, differences } = place;
      if (differences !== undefined) {
        const quantiles = {
          min: differences.min,
          p05: differences.quantile(0.05),
          p25: differences.quantile(0.25),
          p50: differences.quantile(0.5),
          p75: differences.quantile(0.75),
          p95: differences.quantile(0.95),
          max: differences.max,
        };
        const means = { meanBefore: before / weight, meanAfter: after / weight };
        shifts.push({ pointer, count: higher + lower, higher, lower, ...means, quantiles });
      }
      for (const member of place.members.values()) collect(member);
    };
    collect(this.#root);
    return shifts;
  }

  #pair(before: unknown, after: unknown, place: Place, weight: number): void {
    if (typeof before === "number" && typeof after === "number") {
      count(place, before, after, weight);
    } else if (Array.isArray(before) && Array.isArray(after)) {
      const member = this.#member(place, "*");
      const length = Math.min(before.length, after.length);
      for (let index = 0; index < length && member !== undefined; index += 1)
        this.#pair(before[index], after[index], member, weight);
    } else if (isJsonObject(before) && isJsonObject(after)) {
      for (const name of Object.keys(before)) {
        const value = before[name];
        // Most members are texts and flags.
        if (typeof value !== "number" && (typeof value !== "object" || value === null)) continue;
        const member = Object.hasOwn(after, name) ? this.#member(place, name) : undefined;
        if (member !== undefined) this.#pair(value, after[name], member, weight);
      }
    }
  }

  #member(place: Place, name: string): Place | undefined {
    const known = place.members.get(name);
    if (known !== undefined || this.#places === maxPlaces) return known;
    const member = placeAt(`${place.pointer}/${escapePointer(name)}`);
    place.members.set(name, member);
    this.#places += 1;
    return member;
  }
}

function count(place: Place, before: number, after: number, weight: number): void {
  place.weight += weight;
  place.before += before * weight;
  place.after += after * weight;
  if (before === after) return;
  if (after > before) place.higher += 1;
  else place.lower += 1;
  place.differences ??= new QuantileSketch();
  place.differences.add(after - before, weight);
}

function placeAt(pointer: string): Place {
  const none = { weight: 0, before: 0, after: 0, higher: 0, lower: 0 };
  return { pointer, members: new Map(), ...none, differences: undefined };
}
