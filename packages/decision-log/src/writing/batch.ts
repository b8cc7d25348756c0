import type { RecordBatch, RecordStore, SealedRecord } from "@decern/core";
import { ByteWriter } from "../record/byte-writer.js";
import { type SealedFacts, sealedRecord } from "../record/seal.js";
import type { PendingRecord } from "./pending.js";

/** Records that are written together, as often as it takes. */
export class Batch {
  #waiting: readonly PendingRecord[];
  /** The head on which it was sealed last, and what came of that. */
  #sealedOn: string | null = null;
  #sealed: readonly SealedRecord[] = [];

  constructor(waiting: readonly PendingRecord[]) {
    this.#waiting = waiting;
  }

  /** What is not known to be on disk. */
  get waiting(): readonly PendingRecord[] {
    return this.#waiting;
  }

  get last(): SealedRecord | undefined {
    return this.#sealed.at(-1);
  }

  /** Chains all of it to a head. */
  seal(head: string | null): RecordBatch {
    const profiles = new Map<string, string>();
    const facts: SealedFacts[] = [];
    // A buffer of its own, because the store may still read that of the batch before.
    const lines = new ByteWriter();
    let previous = head;
    for (const { sealing } of this.#waiting) {
      const sealed = sealing.after(previous, lines);
      previous = sealed.hash;
      facts.push(sealed);
      for (const { hash, text } of sealing.draft.profiles) profiles.set(hash, text);
    }
    const records = facts.map((one) => sealedRecord(one, lines.bytes));
    this.#sealedOn = head;
    this.#sealed = records;
    return { records, profiles };
  }

  /**
   * Finds out how much of a batch whose write failed is on disk all the same.
   *
   * @param head - that of the chain now
   * @returns what was written
   */
  async reconcile(head: string | null, store: RecordStore): Promise<readonly PendingRecord[]> {
    if (this.#sealed.length === 0) return this.#take(0);
    // No head is no proof: the chain may be another one, without any record yet.
    if (head !== null && head === this.#sealedOn) return this.#take(0);
    const at = this.#sealed.findIndex(({ hash }) => hash === head);
    // Another chain: the one that was written before may have some of it.
    return this.#take(at === -1 ? await this.#countIn(store) : at + 1);
  }

  #take(count: number): readonly PendingRecord[] {
    const written = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#sealed = [];
    return written;
  }

  /** A store writes a batch in order, so that its first records are there, or none. */
  async #countIn(store: RecordStore): Promise<number> {
    let count = 0;
    let end = this.#sealed.length;
    while (count < end) {
      const middle = Math.floor((count + end) / 2);
      const recordId = this.#sealed[middle]?.recordId;
      if (await isIn(store, recordId)) count = middle + 1;
      else end = middle;
    }
    return count;
  }
}

async function isIn(store: RecordStore, recordId: string | undefined): Promise<boolean> {
  for await (const _record of store.find({ recordId, limit: 1 })) return true;
  return false;
}
