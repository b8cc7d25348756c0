import { DecernError, type RecordEvent } from "@decern/core";
import { readRecord } from "../lines/line-blocks.js";
import type { Draft } from "../record/drafter.js";
import type { KeptDocument, RecordBatch, RecordStore } from "../record/record-store.js";
import { rechainRecord, type SealedLine, sealRecord } from "../record/seal.js";
import { ByteWriter } from "../text/hashing.js";

export type Tell = (outcome: RecordEvent["outcome"], count: number) => void;

/** A record until it is on disk. */
export class PendingRecord {
  readonly size: number;
  readonly tell: Tell;
  /** `undefined` if no reply waits. */
  readonly replies: ReplyGroup | undefined;
  /** Until it is sealed. */
  draft: Draft | undefined;

  constructor(draft: Draft, tell: Tell, replies: ReplyGroup | undefined) {
    this.size = sizeOf(draft);
    this.tell = tell;
    this.replies = replies;
    this.draft = draft;
  }
}

/** The replies whose records are written together: one promise, however many they are. */
export class ReplyGroup {
  readonly recorded: Promise<void>;
  #left = 0;
  #resolve: () => void = () => {};
  #reject: (error: DecernError) => void = () => {};

  constructor() {
    this.recorded = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  add(): void {
    this.#left += 1;
  }

  /** Counts a record that is on disk. */
  written(): void {
    this.#left -= 1;
    if (this.#left === 0) this.#resolve();
  }

  /** Without a record no reply is sent, unless records may be dropped. */
  fail(drops: boolean): void {
    if (drops) this.#resolve();
    else this.#reject(new DecernError("RECORD_UNAVAILABLE"));
  }
}

/** Memory of a record in addition to its text, in bytes. */
const overhead = 600;

/** About how much memory a record takes, in bytes. */
function sizeOf({ payload, beforeHash, beforePayload, afterPrevious, addedLength }: Draft): number {
  const payloadLength = payload === undefined ? 0 : payload.before.length + payload.after.length;
  return (
    overhead + payloadLength + beforeHash.length + beforePayload.length + afterPrevious.length + addedLength
  );
}

/** Tells each host once. */
export function tellAll(records: readonly PendingRecord[], outcome: RecordEvent["outcome"]): void {
  const counts = new Map<Tell, number>();
  for (const { tell } of records) counts.set(tell, (counts.get(tell) ?? 0) + 1);
  for (const [tell, count] of counts) tell(outcome, count);
}

/** Limits of one write. */
const maxRecords = 1024;
const maxBytes = 4 * 1024 * 1024;

/** Records that are written together, and again after a failure. They are sealed, so little of each is kept. */
export class Batch {
  #waiting: PendingRecord[] = [];
  #sealed: SealedLine[] = [];
  #lines: ByteWriter;
  /** The head that the batch is chained to. */
  #base: string | null;
  #head: string | null;
  readonly #kept = new Map<string, KeptDocument>();

  /** @param lines - empty, and written to by this batch only */
  constructor(base: string | null, lines: ByteWriter) {
    this.#base = base;
    this.#head = base;
    this.#lines = lines;
  }

  get waiting(): readonly PendingRecord[] {
    return this.#waiting;
  }

  get isFull(): boolean {
    return this.#waiting.length >= maxRecords || this.#lines.length >= maxBytes;
  }

  get head(): string | null {
    return this.#head;
  }

  /** Reusable once no write reads the batch. */
  get lines(): ByteWriter {
    return this.#lines;
  }

  add(record: PendingRecord): void {
    const { draft } = record;
    if (draft === undefined) return;
    record.draft = undefined;
    for (const document of draft.kept) this.#kept.set(document.key, document);
    const { line, hash } = sealRecord(draft, this.#head, this.#lines);
    this.#head = hash;
    this.#sealed.push(line);
    this.#waiting.push(record);
  }

  toWrite(): RecordBatch {
    const { bytes } = this.#lines;
    for (const sealed of this.#sealed) sealed.bytes = bytes.subarray(sealed.start, sealed.end);
    return { records: this.#sealed, kept: this.#kept };
  }

  /** Chains it to a different head. A hanging write may still read the former bytes. */
  rebase(head: string | null): void {
    if (head === this.#base) return;
    this.#base = head;
    this.#head = head;
    const { bytes } = this.#lines;
    const sealed = this.#sealed;
    this.#lines = new ByteWriter();
    this.#sealed = [];
    for (const former of sealed) {
      const { line, hash } = rechainRecord(former, bytes, this.#head, this.#lines);
      this.#head = hash;
      this.#sealed.push(line);
    }
  }

  /**
   * Finds out how much of a batch whose write failed is on disk all the same, and leaves the rest to be written.
   *
   * @param head - that of the chain now
   * @returns what was written
   */
  async reconcile(head: string | null, store: RecordStore): Promise<readonly PendingRecord[]> {
    // A missing head proves nothing: this may be a different chain without records.
    if (head !== null && head === this.#base) return [];
    const at = this.#sealed.findIndex(({ hash }) => hash === head);
    // A different chain: the former one may have some records.
    const count = at === -1 ? await this.#countIn(store) : at + 1;
    const last = this.#sealed[count - 1];
    const written = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#sealed = this.#sealed.slice(count);
    if (last !== undefined) this.#base = last.hash;
    return written;
  }

  /** A store writes a batch in order, so the records on disk are its first ones. */
  async #countIn(store: RecordStore): Promise<number> {
    let count = 0;
    let end = this.#sealed.length;
    while (count < end) {
      const middle = Math.floor((count + end) / 2);
      const line = this.#sealed[middle];
      if (line !== undefined && (await isIn(store, line))) count = middle + 1;
      else end = middle;
    }
    return count;
  }
}

async function isIn(store: RecordStore, { bytes }: SealedLine): Promise<boolean> {
  const record = readRecord(bytes.toString());
  if (typeof record !== "object") return false;
  const { recordId } = record;
  for await (const _record of store.find({ recordId, limit: 1 })) return true;
  return false;
}
