import type { DecisionRecord } from "@decern/core";

/** Records in their order. */
export interface RecordSource {
  /** An instant that no record of it comes before, in the order of the merge; ISO 8601. */
  readonly bound: string;
  /** Records in portions: a step from one to the next within a portion waits for nothing. */
  readonly portions: () => AsyncIterable<Iterable<DecisionRecord>>;
}

/** Reads from one source. */
class Cursor {
  /** The instant of `head`; before anything was read, the bound. */
  key: string;
  head: DecisionRecord | undefined;
  readonly portions: AsyncIterator<Iterable<DecisionRecord>>;
  #portion: Iterator<DecisionRecord> | undefined;

  constructor(source: RecordSource) {
    this.key = source.bound;
    this.portions = source.portions()[Symbol.asyncIterator]();
  }

  /** Moves on within the portion. @returns whether there was another record */
  step(): boolean {
    const next = this.#portion?.next();
    if (next === undefined || next.done === true) return false;
    this.head = next.value;
    this.key = next.value.recordedAt;
    return true;
  }

  /** Moves on to another portion. @returns whether there was another record */
  async refill(): Promise<boolean> {
    for (;;) {
      const next = await this.portions.next();
      if (next.done === true) return false;
      this.#portion = next.value[Symbol.iterator]();
      if (this.step()) return true;
    }
  }
}

/**
 * Streams the records of several sources by their time. A source is opened once its turn comes.
 *
 * @param open - lists the sources, when the first record is asked for
 * @param limit - most records to return
 */
export async function* mergeByTime(
  open: () => Promise<readonly RecordSource[]>,
  newestFirst: boolean,
  limit: number,
): AsyncGenerator<DecisionRecord> {
  const cursors = new Set((await open()).map((source) => new Cursor(source)));
  let count = 0;
  try {
    while (count < limit) {
      const cursor = first(cursors, newestFirst);
      if (cursor === undefined) return;
      if (cursor.head !== undefined) {
        yield cursor.head;
        count += 1;
      }
      if (!cursor.step() && !(await cursor.refill())) cursors.delete(cursor);
    }
  } finally {
    for (const { portions } of cursors) await portions.return?.();
  }
}

function first(cursors: ReadonlySet<Cursor>, newestFirst: boolean): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of cursors) {
    const isBetter = best === undefined || (newestFirst ? cursor.key > best.key : cursor.key < best.key);
    // At the same instant a source that was not opened comes first: what it has may be of that instant.
    if (isBetter || (cursor.key === best?.key && cursor.head === undefined)) best = cursor;
  }
  return best;
}
