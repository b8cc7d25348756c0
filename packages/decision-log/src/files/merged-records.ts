import type { DecisionRecord } from "@decern/core";

/** Records that are at hand: the next one waits for nothing. */
export interface RecordPortion {
  next(): DecisionRecord | undefined;
}

/** Records in their order. */
export interface RecordSource {
  /** An instant that no record of it comes before, in the order of the merge; ISO 8601. */
  readonly bound: string;
  readonly portions: () => AsyncIterable<RecordPortion>;
}

/** Reads from one source. */
class RecordCursor {
  /** The instant of `head`; before anything was read, the bound. */
  key: string;
  head: DecisionRecord | undefined;
  readonly #portions: AsyncIterator<RecordPortion>;
  #portion: RecordPortion | undefined;
  #isStopped = false;

  constructor(source: RecordSource) {
    this.key = source.bound;
    this.#portions = source.portions()[Symbol.asyncIterator]();
  }

  /** Moves on within the portion. @returns whether there was another record */
  step(): boolean {
    const next = this.#portion?.next();
    if (next === undefined) return false;
    this.head = next;
    this.key = next.recordedAt;
    return true;
  }

  /** Moves on to another portion. @returns whether there was another record */
  async refill(): Promise<boolean> {
    while (!this.#isStopped) {
      const next = await this.#portions.next();
      if (next.done === true) return false;
      this.#portion = next.value;
      if (this.step()) return true;
    }
    return false;
  }

  /** Lets it read no further than the next portion. */
  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    await this.#portions.return?.();
  }
}

const end: IteratorResult<DecisionRecord, undefined> = { done: true, value: undefined };

/**
 * Streams the records of several sources by their time, the oldest first. A source is opened once its turn comes.
 *
 * Written by hand: a generator would hold back `return` until the record that is being waited for is there.
 */
export class MergedRecords implements AsyncIterator<DecisionRecord, undefined> {
  readonly #open: () => Promise<readonly RecordSource[]>;
  #left: number;
  /** `undefined` before the first record is asked for. */
  #cursors: Set<RecordCursor> | undefined = undefined;
  /** Whose head was returned last. */
  #last: RecordCursor | undefined = undefined;
  /** How many calls wait for something, and the last of them. */
  #waits = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param open - lists the sources, when the first record is asked for
   * @param limit - most records to return
   */
  constructor(open: () => Promise<readonly RecordSource[]>, limit: number) {
    this.#open = open;
    this.#left = limit;
  }

  next(): Promise<IteratorResult<DecisionRecord, undefined>> {
    const value = this.#waits === 0 ? this.#atHand() : undefined;
    return value === undefined ? this.#inTurn(() => this.#wait()) : Promise.resolve({ done: false, value });
  }

  /** Also ends calls that wait, at the block that they are reading. */
  return(): Promise<IteratorResult<DecisionRecord, undefined>> {
    this.#left = 0;
    for (const cursor of this.#cursors ?? []) cursor.stop();
    return this.#inTurn(() => this.#close());
  }

  /** One after another, for callers that do not wait for what they asked before. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    const done = this.#turn.then(work).finally(() => {
      this.#waits -= 1;
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  /** The next record, if it takes no waiting to tell which one it is. */
  #atHand(): DecisionRecord | undefined {
    if (this.#left <= 0 || (this.#last !== undefined && !this.#last.step())) return undefined;
    this.#last = this.#first();
    const head = this.#last?.head;
    if (head === undefined) this.#last = undefined;
    else this.#left -= 1;
    return head;
  }

  async #wait(): Promise<IteratorResult<DecisionRecord, undefined>> {
    try {
      this.#cursors ??= new Set((await this.#open()).map((source) => new RecordCursor(source)));
      while (this.#left > 0) {
        const value = this.#atHand();
        if (value !== undefined) return { done: false, value };
        // The last one has to read on, or the first one has not read anything yet.
        const cursor = this.#last ?? this.#first();
        this.#last = undefined;
        if (cursor === undefined) break;
        if (!(await cursor.refill())) this.#cursors.delete(cursor);
      }
    } catch (error) {
      await this.#close();
      throw error;
    }
    return await this.#close();
  }

  #first(): RecordCursor | undefined {
    let best: RecordCursor | undefined;
    for (const cursor of this.#cursors ?? []) {
      const isBetter = best === undefined || cursor.key < best.key;
      // At the same instant a source that was not opened comes first: what it has may be of that instant.
      if (isBetter || (cursor.key === best?.key && cursor.head === undefined)) best = cursor;
    }
    return best;
  }

  async #close(): Promise<IteratorResult<DecisionRecord, undefined>> {
    this.#left = 0;
    this.#last = undefined;
    const cursors = this.#cursors ?? [];
    this.#cursors = new Set();
    for (const cursor of cursors) await cursor.close();
    return end;
  }
}
