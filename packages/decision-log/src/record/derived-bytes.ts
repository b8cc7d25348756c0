import { createHmac } from "node:crypto";
import type { SaltBytes } from "./random-pool.js";

const saltBytes = 16;
/** Bits of an id's tail that are derived from the secret. The bits before them are the place. */
const tailBits = 34n;
const lowBits = 62n;

/** What would be random in a record, derived from a secret and the record's place: the same whenever the record is made again. */
export class DerivedBytes implements SaltBytes {
  readonly #secret: Uint8Array;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  take(): number {
    return 0;
  }

  /**
   * Goes on to the record of a place, such as the number of a line.
   *
   * @returns its id, a UUID of version 7: greater for a greater place
   */
  begin(place: number, epochMs: number): string {
    this.#bytes = createHmac("sha256", this.#secret).update(String(place)).digest();
    const tail = this.#bytes.readBigUInt64BE(saltBytes) >> (64n - tailBits);
    const rest = (BigInt(place) << tailBits) | tail;
    const time = Math.max(0, epochMs).toString(16).padStart(12, "0");
    const high = (rest >> lowBits).toString(16).padStart(3, "0");
    // The variant: two bits, 1 and 0.
    const low = (BigInt.asUintN(62, rest) | (2n << lowBits)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}`;
  }
}
