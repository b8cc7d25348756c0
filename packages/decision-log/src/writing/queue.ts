import { ByteWriter } from "../text/hashing.js";
import { addWaiting, Batch, countOf, type PendingRecord, type WaitingRecords } from "./batch.js";

interface FlushWait {
  readonly count: number;
  /** Whether to stop waiting when the store is down. */
  readonly isImpatient: boolean;
  readonly resolve: () => void;
}

/** Waits until records have been written or lost. */
export class FlushWaits {
  taken = 0;
  #ended = 0;
  #waits: readonly FlushWait[] = [];

  get isAwaited(): boolean {
    return this.#waits.length > 0;
  }

  add(isImpatient: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waits = [...this.#waits, { count: this.taken, isImpatient, resolve }];
    });
  }

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

/** This many records wait to be sealed. Sealed ones are bytes, which the garbage collector does not scan. */
const maxUnsealed = 64;

/** This much is written immediately. A sync costs as much as recording about a hundred evaluations. */
const maxRecords = 1024;
const maxSize = 4 * 1024 * 1024;

/** Records that wait to be written, in order. */
export class Queue {
  #unsealed: PendingRecord[] = [];
  /** The first is being written, or is next. */
  #batches: Batch[] = [];
  #isWriting = false;
  /** Where the chain ends once every batch is written; `undefined` until the store is open. */
  #tail: string | null | undefined = undefined;
  #spare: ByteWriter | undefined = undefined;
  /** Whether a failed write may still read the bytes of its batch. */
  #mayBeRead = false;
  #size = 0;
  #count = 0;

  get size(): number {
    return this.#size;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isLong(): boolean {
    return this.#count >= maxRecords || this.#size >= maxSize;
  }

  get hasFurther(): boolean {
    return this.#batches.length > 1;
  }

  get all(): readonly WaitingRecords[] {
    const all = this.#batches.flatMap(({ waiting }) => waiting.map((one) => ({ ...one })));
    for (const record of this.#unsealed) addWaiting(all, record);
    return all;
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
    reconcile: (batch: Batch) => Promise<readonly WaitingRecords[]>,
  ): Promise<readonly WaitingRecords[]> {
    const [first] = this.#batches;
    if (this.#isWriting) this.#mayBeRead = true;
    const written = this.#isWriting && first !== undefined ? await reconcile(first) : [];
    if (first?.isEmpty === true) this.#batches.shift();
    this.#isWriting = false;
    this.#forget(written);
    this.#tail = head;
    for (const batch of this.#batches) {
      batch.rebase(this.#tail);
      this.#tail = batch.head;
    }
    return written;
  }

  next(): Batch | undefined {
    this.#seal();
    const [batch] = this.#batches;
    this.#isWriting = batch !== undefined;
    return batch;
  }

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

  /** The last batch, unless it is being written. */
  #gathering(): Batch | undefined {
    return this.#isWriting && this.#batches.length === 1 ? undefined : this.#batches.at(-1);
  }

  #forget(records: readonly WaitingRecords[]): void {
    for (const { size } of records) this.#size -= size;
    this.#count -= countOf(records);
  }
}
