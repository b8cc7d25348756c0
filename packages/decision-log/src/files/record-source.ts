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
export class RecordCursor {
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
