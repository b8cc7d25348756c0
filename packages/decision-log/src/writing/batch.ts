import type { RecordEvent } from "@decern/core";
import type { Draft } from "../record/drafter.js";
import type { RecordBatch, RecordStore } from "../record/record-store.js";
import { rechainRecord, type SealedLine, sealRecord } from "../record/seal.js";
import { ByteWriter } from "../text/hashing.js";

/** Told what became of records. */
export type Tell = (outcome: RecordEvent["outcome"], count: number) => void;

/** A record that waits to be written. */
export interface PendingRecord {
  /** About how much memory it takes. */
  readonly size: number;
  readonly tell: Tell;
  /** Settles what the reply waits for; `undefined` where it does not wait. */
  readonly reply: ReplyWait | undefined;
  /** Until it is sealed. */
  draft: Draft | undefined;
}

/** What a reply waits for. */
export interface ReplyWait {
  resolve(): void;
  reject(): void;
}

/** What a record takes in addition to its text. */
const overhead = 600;

export function pendingRecord(draft: Draft, tell: Tell, reply: ReplyWait | undefined): PendingRecord {
  const { payload, beforeHash, beforePayload, afterPrevious, addedLength } = draft;
  const payloadLength = payload === undefined ? 0 : payload.before.length + payload.after.length;
  const textLength = beforeHash.length + beforePayload.length + afterPrevious.length;
  const size = overhead + payloadLength + textLength + addedLength;
  return { size, tell, reply, draft };
}

/** Tells the hosts of records what became of them, each once. */
export function tellAll(records: readonly PendingRecord[], outcome: RecordEvent["outcome"]): void {
  const counts = new Map<Tell, number>();
  for (const { tell } of records) counts.set(tell, (counts.get(tell) ?? 0) + 1);
  for (const [tell, count] of counts) tell(outcome, count);
}

/** So many records and bytes are written together. */
const maxRecords = 1024;
const maxBytes = 4 * 1024 * 1024;

/** Records that are written together, as often as it takes. They are sealed, so that little of each is kept. */
export class Batch {
  #waiting: PendingRecord[] = [];
  #sealed: SealedLine[] = [];
  #lines: ByteWriter;
  /** The head to which it is chained. */
  #base: string | null;
  readonly #profiles = new Map<string, string>();

  /** @param lines - empty; no other code writes to it while this batch has it */
  constructor(base: string | null, lines: ByteWriter) {
    this.#base = base;
    this.#lines = lines;
  }

  /** What is not known to be on disk. */
  get waiting(): readonly PendingRecord[] {
    return this.#waiting;
  }

  get isFull(): boolean {
    return this.#waiting.length >= maxRecords || this.#lines.length >= maxBytes;
  }

  /** The head that the chain has once it is written. */
  get head(): string | null {
    return this.#sealed.at(-1)?.hash ?? this.#base;
  }

  /** To be used again once no code reads the batch any more. */
  get lines(): ByteWriter {
    return this.#lines;
  }

  /** Seals one more record. */
  add(record: PendingRecord): void {
    const { draft } = record;
    if (draft === undefined) return;
    record.draft = undefined;
    for (const { hash, text } of draft.profiles) this.#profiles.set(hash, text);
    this.#sealed.push(sealRecord(draft, this.head, this.#lines));
    this.#waiting.push(record);
  }

  /** As a store takes it. */
  toWrite(): RecordBatch {
    const { bytes } = this.#lines;
    for (const sealed of this.#sealed) sealed.bytes = bytes.subarray(sealed.start, sealed.end);
    return { records: this.#sealed, profiles: this.#profiles };
  }

  /** Chains it to another head. A write that hangs may still read the bytes as they were. */
  rebase(head: string | null): void {
    if (head === this.#base) return;
    this.#base = head;
    const { bytes } = this.#lines;
    const sealed = this.#sealed;
    this.#lines = new ByteWriter();
    this.#sealed = [];
    for (const line of sealed) this.#sealed.push(rechainRecord(line, bytes, this.head, this.#lines));
  }

  /**
   * Finds out how much of a batch whose write failed is on disk all the same, and leaves the rest to be written.
   *
   * @param head - that of the chain now
   * @returns what was written
   */
  async reconcile(head: string | null, store: RecordStore): Promise<readonly PendingRecord[]> {
    // A missing head proves nothing: the chain may be a different one, without any record yet.
    if (head !== null && head === this.#base) return [];
    const at = this.#sealed.findIndex(({ hash }) => hash === head);
    // Another chain: the one that was written before may have some of it.
    const count = at === -1 ? await this.#countIn(store) : at + 1;
    const last = this.#sealed[count - 1];
    const written = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#sealed = this.#sealed.slice(count);
    if (last !== undefined) this.#base = last.hash;
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
