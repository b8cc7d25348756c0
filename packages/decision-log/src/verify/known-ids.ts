/** 256 MiB, for 25 million ids; half as much again while the table grows to it. */
const mostSlots = 2 ** 25;
const firstSlots = 2 ** 16;
const mostFull = 0.75;

/**
 * Remembers 64 bits of each id, in 8 bytes that are at most three quarters full. That two different ids are taken for the same has
 * a chance of one in 50,000 among 25 million.
 */
export class KnownIds {
  readonly #mostSlots: number;
  /** Two numbers per slot; both are 0 in a free one. */
  #slots = new Uint32Array(firstSlots * 2);
  #size = 0;
  /** How many ids did not fit. They were only compared with those that are remembered. */
  unremembered = 0;

  /** @param slots - most that the table grows to, a power of two. @default 33,554,432 */
  constructor(slots = mostSlots) {
    this.#mostSlots = slots;
  }

  add(id: string): boolean {
    const [high, low] = bitsOf(id);
    const at = find(this.#slots, high, low);
    if (this.#slots[at] !== 0 || this.#slots[at + 1] !== 0) return false;
    if (this.#isFull() && !this.#grow()) {
      this.unremembered += 1;
      return true;
    }
    put(this.#slots, high, low);
    this.#size += 1;
    return true;
  }

  #isFull(): boolean {
    return this.#size >= (this.#slots.length / 2) * mostFull;
  }

  #grow(): boolean {
    const former = this.#slots;
    if (former.length >= this.#mostSlots * 2) return false;
    this.#slots = new Uint32Array(former.length * 2);
    for (let at = 0; at < former.length; at += 2) {
      const high = former[at] ?? 0;
      const low = former[at + 1] ?? 0;
      if (high !== 0 || low !== 0) put(this.#slots, high, low);
    }
    return true;
  }
}

function find(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length - 1;
  for (let at = (low * 2) & mask; ; at = (at + 2) & mask) {
    const [storedHigh, storedLow] = [slots[at], slots[at + 1]];
    if ((storedHigh === high && storedLow === low) || (storedHigh === 0 && storedLow === 0)) return at;
  }
}

function put(slots: Uint32Array, high: number, low: number): void {
  const at = find(slots, high, low);
  slots[at] = high;
  slots[at + 1] = low;
}

/** Spreads a text over two numbers of 32 bits, never both 0 (cyrb53 by bryc, in the public domain). */
function bitsOf(text: string): readonly [high: number, low: number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0 || 1];
}
