import { DecernError, type RecordEvent } from "@decern/core";
import { readRecord } from "../lines/line-blocks.js";
import type { Draft } from "../record/drafter.js";
import type { KeptDocument, RecordBatch, RecordStore } from "../record/record-store.js";
import { LineList, rechainRecord, type SealedLine, sealRecord } from "../record/seal.js";
import { ByteWriter } from "../text/hashing.js";

export type Tell = (outcome: RecordEvent["outcome"], count: number) => void;

/** What hears of a record once it is written. */
interface Waiting {
  readonly tell: Tell;
  /** `undefined` if no reply waits. */
  readonly replies: ReplyGroup | undefined;
}

/** A record until it is sealed. */
export class PendingRecord implements Waiting {
  readonly tell: Tell;
  readonly replies: ReplyGroup | undefined;
  readonly draft: Draft;
  readonly size: number;

  constructor(draft: Draft, tell: Tell, replies: ReplyGroup | undefined) {
    this.tell = tell;
    this.replies = replies;
    this.draft = draft;
    this.size = sizeOf(draft);
  }
}

/** Records in a row of which the same host and the same replies hear, until they are on disk. */
export interface WaitingRecords extends Waiting {
  count: number;
  /** About how much memory they take, in bytes. */
  size: number;
}

/** Adds a record to those before it. */
export function addWaiting(waiting: WaitingRecords[], { tell, replies, size }: PendingRecord): void {
  const last = waiting.at(-1);
  if (last?.tell === tell && last.replies === replies) {
    last.count += 1;
    last.size += size;
  } else {
    waiting.push({ tell, replies, count: 1, size });
  }
}

export function countOf(waiting: readonly WaitingRecords[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
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

  /** Counts records that are on disk. */
  written(count: number): void {
    this.#left -= count;
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
export function tellAll(records: readonly WaitingRecords[], outcome: RecordEvent["outcome"]): void {
  const counts = new Map<Tell, number>();
  for (const { tell, count } of records) counts.set(tell, (counts.get(tell) ?? 0) + count);
  for (const [tell, count] of counts) tell(outcome, count);
}

/** Limits of one write. */
const maxRecords = 1024;
const maxBytes = 4 * 1024 * 1024;

/** Records that are written together, and again after a failure. They are sealed, so little of each is kept. */
export class Batch {
  #waiting: WaitingRecords[] = [];
  #sealed = new LineList();
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

  get waiting(): readonly WaitingRecords[] {
    return this.#waiting;
  }

  get isEmpty(): boolean {
    return this.#sealed.length === 0;
  }

  get isFull(): boolean {
    return this.#sealed.length >= maxRecords || this.#lines.length >= maxBytes;
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
    for (const document of draft.kept) this.#kept.set(document.key, document);
    const { places, hash } = sealRecord(draft, this.#head, this.#lines);
    this.#head = hash;
    this.#sealed.add(places);
    addWaiting(this.#waiting, record);
  }

  toWrite(): RecordBatch {
    return { records: this.#sealed.in(this.#lines.bytes), kept: this.#kept };
  }

  /** Chains it to a different head. A hanging write may still read the former bytes. */
  rebase(head: string | null): void {
    if (head === this.#base) return;
    this.#base = head;
    this.#head = head;
    const sealed = this.#sealed.in(this.#lines.bytes);
    this.#lines = new ByteWriter();
    this.#sealed = new LineList();
    for (const former of sealed) {
      const { places, hash } = rechainRecord(former, this.#head, this.#lines);
      this.#head = hash;
      this.#sealed.add(places);
    }
  }

  /**
   * Finds out how much of a batch whose write failed is on disk all the same, and leaves the rest to be written.
   *
   * @param head - that of the chain now
   * @returns what was written
   */
  async reconcile(head: string | null, store: RecordStore): Promise<readonly WaitingRecords[]> {
    // A missing head proves nothing: this may be a different chain without records.
    if (head !== null && head === this.#base) return [];
    const sealed = this.#sealed.in(this.#lines.bytes);
    const at = sealed.findIndex(({ hash }) => hash === head);
    // A different chain: the former one may have some records.
    const count = at === -1 ? await countIn(store, sealed) : at + 1;
    const last = sealed[count - 1];
    this.#sealed.removeFirst(count);
    if (last !== undefined) this.#base = last.hash;
    const [written, left] = split(this.#waiting, count);
    this.#waiting = left;
    return written;
  }
}

/** @returns the first records, and the others */
function split(
  waiting: readonly WaitingRecords[],
  first: number,
): readonly [first: WaitingRecords[], others: WaitingRecords[]] {
  const parts: [WaitingRecords[], WaitingRecords[]] = [[], []];
  let left = first;
  for (const { tell, replies, count, size } of waiting) {
    const taken = Math.min(count, left);
    const takenSize = Math.round((size * taken) / count);
    if (taken > 0) parts[0].push({ tell, replies, count: taken, size: takenSize });
    if (taken < count) parts[1].push({ tell, replies, count: count - taken, size: size - takenSize });
    left -= taken;
  }
  return parts;
}

/** A store writes a batch in order, so the records on disk are its first ones. */
async function countIn(store: RecordStore, sealed: readonly SealedLine[]): Promise<number> {
  let count = 0;
  let end = sealed.length;
  while (count < end) {
    const middle = Math.floor((count + end) / 2);
    const line = sealed[middle];
    if (line !== undefined && (await isIn(store, line))) count = middle + 1;
    else end = middle;
  }
  return count;
}

async function isIn(store: RecordStore, { bytes }: SealedLine): Promise<boolean> {
  const record = readRecord(bytes.toString());
  if (typeof record !== "object") return false;
  const { recordId } = record;
  for await (const _record of store.find({ recordId, limit: 1 })) return true;
  return false;
}
