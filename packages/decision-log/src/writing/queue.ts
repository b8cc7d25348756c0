import { ByteWriter } from "../text/hashing.js";
import { Batch, type PendingRecord } from "./batch.js";

interface FlushWait {
  /** How many records must have been written or lost. */
  readonly count: number;
  /** Whether to continue as soon as the store is down. */
  readonly isImpatient: boolean;
  readonly resolve: () => void;
}

/** Those who wait until records have been written or lost. */
export class FlushWaits {
  /** How many records were taken so far. */
  taken = 0;
  #ended = 0;
  #waits: readonly FlushWait[] = [];

  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  /** Resolves once everything taken so far has ended. */
  add(isImpatient: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waits = [...this.#waits, { count: this.taken, isImpatient, resolve }];
    });
  }

  /** Takes note that so many further records were written or lost. */
  end(count: number): void {
    this.#ended += count;
    this.#resolve((wait) => wait.count <= this.#ended);
  }

  endImpatient(): void {
    this.#resolve(({ isImpatient }) => isImpatient);
  }

  #resolve(isOver: (wait: FlushWait) => boolean): void {
    if (this.#waits.length === 0) return;
    const over = this.#waits.filter(isOver);
    this.#waits = this.#waits.filter((wait) => !over.includes(wait));
    for (const { resolve } of over) resolve();
  }
}

/** So many records wait to be sealed. Sealed ones are bytes, which cost the garbage collector nothing. */
const maxUnsealed = 64;

/** So much is written immediately, without waiting for more. A sync costs as much as taking about a hundred records. */
const maxRecords = 1024;
const maxSize = 4 * 1024 * 1024;

/** Records that wait to be written, in the order in which they were taken. */
export class Queue {
  #unsealed: PendingRecord[] = [];
  /** The first one is to be written next, or is being written. */
  #batches: Batch[] = [];
  #isWriting = false;
  /** Where the chain ends once every batch is written; `undefined` until the store is open. */
  #tail: string | null | undefined = undefined;
  #spare: ByteWriter | undefined = undefined;
  /** Whether a write failed that may still be reading the bytes of its batch. */
  #mayBeRead = false;
  #size = 0;
  #count = 0;

  /** About how many bytes all records have that are not known to be on disk. */
  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether enough waits to be written immediately. */
  get isLong(): boolean {
    return this.#count >= maxRecords || this.#size >= maxSize;
  }

  /** Whether there is more than the batch to be written next. */
  get hasFurther(): boolean {
    return this.#batches.length > 1;
  }

  /** Everything that is not known to be on disk. */
  get all(): readonly PendingRecord[] {
    return [...this.#batches.flatMap(({ waiting }) => waiting), ...this.#unsealed];
  }

  add(record: PendingRecord): void {
    this.#unsealed.push(record);
    this.#size += record.size;
    this.#count += 1;
    if (this.#unsealed.length >= maxUnsealed) this.#seal();
  }

  /**
   * The store is open, maybe again. Everything that waits is chained to its head.
   *
   * @param reconcile - finds out how much of the batch that was being written is on disk
   * @returns what was
   */
  async opened(
    head: string | null,
    reconcile: (batch: Batch) => Promise<readonly PendingRecord[]>,
  ): Promise<readonly PendingRecord[]> {
    const [first] = this.#batches;
    if (this.#isWriting) this.#mayBeRead = true;
    const written = this.#isWriting && first !== undefined ? await reconcile(first) : [];
    if (first?.waiting.length === 0) this.#batches.shift();
    this.#isWriting = false;
    this.#forget(written);
    this.#tail = head;
    for (const batch of this.#batches) {
      batch.rebase(this.#tail);
      this.#tail = batch.head;
    }
    return written;
  }

  /** The batch to write next. */
  next(): Batch | undefined {
    this.#seal();
    const [batch] = this.#batches;
    this.#isWriting = batch !== undefined;
    return batch;
  }

  /** The batch that {@link next} returned is on disk. */
  written(batch: Batch): void {
    this.#batches.shift();
    this.#isWriting = false;
    this.#forget(batch.waiting);
    if (!this.#mayBeRead) {
      batch.lines.clear();
      this.#spare = batch.lines;
    }
    this.#mayBeRead = false;
  }

  clear(): void {
    this.#unsealed = [];
    this.#batches = [];
    this.#size = 0;
    this.#count = 0;
  }

  #seal(): void {
    if (this.#tail === undefined) return;
    let batch = this.#gathering();
    for (const record of this.#unsealed) {
      if (batch === undefined || batch.isFull) {
        batch = new Batch(this.#tail, this.#spare ?? new ByteWriter());
        this.#spare = undefined;
        this.#batches.push(batch);
      }
      batch.add(record);
      this.#tail = batch.head;
    }
    this.#unsealed = [];
  }

  /** The batch that takes further records: the last one, unless it is being written. */
  #gathering(): Batch | undefined {
    return this.#isWriting && this.#batches.length === 1 ? undefined : this.#batches.at(-1);
  }

  #forget(records: readonly PendingRecord[]): void {
    for (const { size } of records) this.#size -= size;
    this.#count -= records.length;
  }
}
