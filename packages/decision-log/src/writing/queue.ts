import { Batch } from "./batch.js";
import type { PendingRecord } from "./pending.js";

/** So many records are sealed in one go: the event loop waits for them. */
const maxRecords = 256;
const maxSize = 1024 * 1024;

/** Records that wait to be written, in the order in which they were taken. */
export class Queue {
  #waiting: PendingRecord[] = [];
  #batch: Batch | undefined = undefined;
  #size = 0;

  /** About how many characters all records have that are not known to be on disk. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#batch === undefined && this.#waiting.length === 0;
  }

  /** Whether enough waits to be written at once. */
  get isLong(): boolean {
    return this.#waiting.length >= maxRecords || this.#size >= maxSize;
  }

  /** Whether there is more than the batch that is being written. */
  get hasFurther(): boolean {
    return this.#waiting.length > 0;
  }

  /** The batch that is being written. */
  get batch(): Batch | undefined {
    return this.#batch;
  }

  /** Everything that is not known to be on disk. */
  get all(): readonly PendingRecord[] {
    return [...(this.#batch?.waiting ?? []), ...this.#waiting];
  }

  add(record: PendingRecord): void {
    this.#waiting.push(record);
    this.#size += record.size;
  }

  /** The batch to write next; the same one until it is done. */
  next(): Batch | undefined {
    if (this.#batch === undefined && this.#waiting.length > 0) this.#batch = new Batch(this.#cut());
    return this.#batch;
  }

  /** Takes note of what is on disk. */
  written(records: readonly PendingRecord[], isWhole: boolean): void {
    for (const { size } of records) this.#size -= size;
    if (isWhole) this.#batch = undefined;
  }

  clear(): void {
    this.#waiting = [];
    this.#batch = undefined;
    this.#size = 0;
  }

  #cut(): readonly PendingRecord[] {
    let count = 0;
    for (let size = 0; count < this.#waiting.length && count < maxRecords && size < maxSize; count += 1)
      size += this.#waiting[count]?.size ?? 0;
    if (count < this.#waiting.length) return this.#waiting.splice(0, count);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }
}
