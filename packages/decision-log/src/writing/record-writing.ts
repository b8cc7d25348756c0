import type { Draft } from "../record/drafter.js";
import type { RecordStore } from "../record/record-store.js";
import { countOf, PendingRecord, ReplyGroup, type Tell, tellAll, type WaitingRecords } from "./batch.js";
import type { LogReports } from "./log-reports.js";
import { FlushWaits, Queue } from "./queue.js";
import { StoreConnection, within } from "./store-connection.js";

export interface WritingOptions {
  readonly store: RecordStore;
  readonly isDurable: boolean;
  /** How long a record waits for others, in milliseconds, unless a reply waits for it. */
  readonly intervalMs: number;
  /** Whether replies are sent even if the store is down. */
  readonly drops: boolean;
  /** Maximum size of waiting records, in characters. */
  readonly maxPending: number;
  readonly writeTimeoutMs: number;
  readonly reports: LogReports;
}

const firstDelayMs = 100;
const longestDelayMs = 2000;

/** Writes records in order, whatever the store does. */
export class RecordWriting {
  readonly #options: WritingOptions;
  readonly #connection: StoreConnection;
  readonly #queue = new Queue();
  readonly #flushes = new FlushWaits();
  #isDown = false;
  #downAtMs = 0;
  #isClosing = false;
  #isDue = false;
  #running: Promise<void> | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;
  #delayMs = firstDelayMs;
  /** The replies of records that are not being written yet. */
  #replies: ReplyGroup | undefined = undefined;
  #written = 0;

  constructor(options: WritingOptions) {
    this.#options = options;
    this.#connection = new StoreConnection(options.store, options.writeTimeoutMs);
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  get hasRoom(): boolean {
    return this.#queue.size < this.#options.maxPending;
  }

  /**
   * Whether lists and streams may continue. They leave half of the room to single calls, and wait for a store that is down as long
   * as for a write that hangs.
   */
  get hasRoomForMany(): boolean {
    if (this.#isClosing) return true;
    if (this.#isDown) return performance.now() - this.#downAtMs >= this.#options.writeTimeoutMs;
    return !this.#isHalfFull;
  }

  get #isHalfFull(): boolean {
    return this.#queue.size >= this.#options.maxPending / 2;
  }

  /** Whether enough waits to be written immediately, or a list may be waiting for room. */
  get #isLong(): boolean {
    return this.#queue.isLong || this.#isHalfFull;
  }

  /** The head of the chain, and how many records this process has written. */
  get progress(): { readonly head: string | null; readonly records: number } {
    return { head: this.#connection.head, records: this.#written };
  }

  open(): void {
    this.#start();
  }

  /** @returns what the reply waits for; `undefined` if it does not wait */
  take(draft: Draft, tell: Tell): Promise<void> | undefined {
    const { isDurable } = this.#options;
    if (isDurable) {
      this.#replies ??= new ReplyGroup();
      this.#replies.add();
    }
    const replies = this.#replies;
    this.#queue.add(new PendingRecord(draft, tell, replies));
    this.#flushes.taken += 1;
    this.#schedule();
    return replies?.recorded;
  }

  #schedule(): void {
    const { isDurable, intervalMs, drops } = this.#options;
    if (this.#isDown) {
      this.#replies?.fail(drops);
      this.#replies = undefined;
      // The process must not end before the record is written.
      this.#timer?.ref();
    } else if (this.#isDue || this.#running !== undefined) {
      return;
    } else if (isDurable || this.#isLong) {
      this.#isDue = true;
      // Everything that is evaluated in this turn is written together.
      setImmediate(() => this.#start());
    } else {
      this.#timer ??= setTimeout(() => this.#writeNow(), intervalMs);
    }
  }

  /** Resolves once everything so far is on disk or lost. The impatient don't wait for a store that is down. */
  flush(isImpatient = false): Promise<void> {
    if (this.#queue.isEmpty || (isImpatient && this.#isDown)) return Promise.resolve();
    if (!this.#isDown) this.#writeNow();
    return this.#flushes.add(isImpatient);
  }

  /** Writes what it can, and counts the rest as lost. Then frees the store. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.#queue.isEmpty) this.#writeNow();
    while (this.#running !== undefined) await this.#running;
    this.#stopTimer();
    try {
      await this.#connection.close();
    } catch (error) {
      this.#options.reports.closeFailed(error);
    }
  }

  #writeNow(): void {
    this.#isDue = true;
    this.#start();
  }

  #start(): void {
    if (this.#running !== undefined) return;
    this.#stopTimer();
    this.#running = this.#run().finally(() => this.#rest());
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    try {
      if (!this.#connection.isOpen) await this.#reopen();
      for (let batch = this.#nextBatch(); batch !== undefined; batch = this.#nextBatch()) {
        await this.#connection.write(batch.toWrite());
        this.#queue.written(batch);
        this.#settle(batch.waiting);
        this.#up();
      }
      this.#up();
    } catch (error) {
      await this.#fail(error);
    }
  }

  #nextBatch(): ReturnType<Queue["next"]> {
    const isDue = this.#isDue || this.#isClosing || this.#flushes.isAwaited;
    if (!isDue && !this.#options.isDurable && !this.#isLong) return undefined;
    const batch = this.#queue.next();
    this.#replies = undefined;
    if (!this.#queue.hasFurther) this.#isDue = false;
    return batch;
  }

  async #reopen(): Promise<void> {
    const { store, reports, writeTimeoutMs } = this.#options;
    await this.#connection.open(reports.logger);
    const { head } = this.#connection;
    if (this.#isDown) this.#isDue = true;
    const written = await this.#queue.opened(head, (batch) =>
      within(writeTimeoutMs, batch.reconcile(head, store)),
    );
    this.#settle(written);
  }

  #settle(records: readonly WaitingRecords[]): void {
    const written = countOf(records);
    this.#written += written;
    tellAll(records, "written");
    for (const { replies, count } of records) replies?.written(count);
    this.#flushes.end(written);
  }

  #up(): void {
    this.#delayMs = firstDelayMs;
    if (!this.#isDown) return;
    this.#isDown = false;
    this.#options.reports.up();
  }

  async #fail(error: unknown): Promise<void> {
    const isNews = !this.#isDown;
    if (isNews) this.#downAtMs = performance.now();
    this.#isDown = true;
    const waiting = this.#queue.all;
    if (isNews) this.#options.reports.down(error, countOf(waiting));
    for (const { replies } of waiting) replies?.fail(this.#options.drops);
    this.#replies = undefined;
    this.#flushes.endImpatient();
    await this.#connection.abandon();
    if (this.#isClosing) this.#lose();
  }

  #lose(): void {
    const lost = this.#queue.all;
    const count = countOf(lost);
    this.#queue.clear();
    if (count > 0) this.#options.reports.lost(count);
    tellAll(lost, "lost");
    this.#flushes.end(count);
  }

  #rest(): void {
    this.#running = undefined;
    if (this.#isDown) {
      if (this.#isClosing) return;
      this.#timer = setTimeout(() => this.#start(), this.#delayMs);
      if (this.#queue.isEmpty) this.#timer.unref();
      this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs);
    } else if (this.#isDue || (this.#isClosing && !this.#queue.isEmpty)) {
      this.#start();
    } else if (!this.#queue.isEmpty) {
      this.#timer = setTimeout(() => this.#writeNow(), this.#options.intervalMs);
    }
  }
}
