const words = 4_294_967_296;

/** A small generator of pseudo-random numbers (mulberry32). It computes with 32-bit integers: every machine gets the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.trunc(seed / words) ^ seed) | 0;
  }

  /** From 0 up to, but without, 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / words;
  }

  /** A whole number from 0 up to, but without, `limit`. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  /** @returns `undefined` for an empty list only */
  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.below(list.length)];
  }
}
