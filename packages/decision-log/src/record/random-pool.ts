import { randomFillSync } from "node:crypto";

/** Where the bytes of salts come from. */
export interface SaltBytes {
  readonly bytes: Buffer;
  /** Takes so many bytes. @returns where in `bytes` they begin; they stay until the next call */
  take(count: number): number;
}

/** Random bytes, fetched many at a time: a call for a few costs more than everything else in a record. */
export class RandomPool implements SaltBytes {
  readonly bytes = Buffer.allocUnsafeSlow(8192);
  #next = this.bytes.length;

  /** Takes so many bytes. @returns where in `bytes` they begin; they stay until the next call */
  take(count: number): number {
    if (this.#next + count > this.bytes.length) {
      randomFillSync(this.bytes);
      this.#next = 0;
    }
    const start = this.#next;
    this.#next += count;
    return start;
  }
}
