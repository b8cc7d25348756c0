import { RandomPool } from "./random-pool.js";

/** Most that the 12 bits after the version hold. */
const maxCounter = 0xfff;

/**
 * Makes ids of records: UUIDs of version 7 (RFC 9562), each greater than the one before it. Within a millisecond a counter
 * of 12 bits grows; where it is full, or where the clock goes back, the ids run ahead of the clock.
 */
export class RecordIds {
  readonly #pool = new RandomPool();
  #lastMs = -1;
  #counter = 0;
  /** All that comes before the counter. */
  #prefix = "";

  /** @param nowMs - milliseconds since the Unix epoch */
  next(nowMs: number = Date.now()): string {
    const { bytes } = this.#pool;
    const at = this.#pool.take(10);
    if (nowMs > this.#lastMs) this.#begin(nowMs, bytes.readUInt16BE(at));
    else if (this.#counter === maxCounter) this.#begin(this.#lastMs + 1, bytes.readUInt16BE(at));
    else this.#counter += 1;
    // The variant: two bits, 1 and 0.
    bytes[at + 2] = 0x80 | (bytes.readUInt8(at + 2) & 0x3f);
    const random = bytes.toString("hex", at + 2, at + 10);
    return `${this.#prefix}${hexDigits(this.#counter, 3)}-${random.slice(0, 4)}-${random.slice(4)}`;
  }

  #begin(ms: number, random: number): void {
    this.#lastMs = ms;
    // Leaves half of the range to count in.
    this.#counter = random & 0x7ff;
    const time = hexDigits(ms, 12);
    this.#prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
}

function hexDigits(value: number, count: number): string {
  return value.toString(16).padStart(count, "0");
}
