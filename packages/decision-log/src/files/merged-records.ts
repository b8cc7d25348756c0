import type { DecisionRecord } from "@decern/core";

export type RecordPortion = Iterable<DecisionRecord>;

export interface RecordSource {
  /** No record is earlier, in the order of the merge; ISO 8601. */
  readonly bound: string;
  readonly portions: () => AsyncIterable<RecordPortion>;
}

interface Cursor {
  key: string;
  head: DecisionRecord | undefined;
  readonly portions: AsyncIterator<RecordPortion>;
  portion: Iterator<DecisionRecord>;
}

/**
 * Streams the records of several sources by their time, the oldest first. A source is opened once its turn comes. `return` also ends
 * a `next` that waits, at the block that it reads: a generator alone would search on to the next match.
 *
 * @param open - lists the sources, when the first record is asked for
 */
export function mergedRecords(
  open: () => Promise<readonly RecordSource[]>,
  limit: number,
): AsyncIterator<DecisionRecord, void> {
  let isStopped = false;
  const records = merge(open, limit, () => isStopped);
  return {
    next: () => records.next(),
    return() {
      isStopped = true;
      return records.return();
    },
  };
}

async function* merge(
  open: () => Promise<readonly RecordSource[]>,
  limit: number,
  isStopped: () => boolean,
): AsyncGenerator<DecisionRecord, void> {
  const cursors = new Set((await open()).map(cursorOf));
  try {
    for (let left = limit; left > 0; ) {
      const cursor = first(cursors);
      if (cursor === undefined) return;
      if (cursor.head !== undefined) {
        yield cursor.head;
        left -= 1;
      }
      if (left === 0 || step(cursor) || (await refill(cursor, isStopped))) continue;
      if (isStopped()) return;
      cursors.delete(cursor);
    }
  } finally {
    for (const { portions } of cursors) await portions.return?.();
  }
}

function cursorOf({ bound, portions }: RecordSource): Cursor {
  const none: DecisionRecord[] = [];
  return {
    key: bound,
    head: undefined,
    portions: portions()[Symbol.asyncIterator](),
    portion: none.values(),
  };
}

function step(cursor: Cursor): boolean {
  const next = cursor.portion.next();
  if (next.done === true) return false;
  cursor.head = next.value;
  cursor.key = next.value.recordedAt;
  return true;
}

async function refill(cursor: Cursor, isStopped: () => boolean): Promise<boolean> {
  while (!isStopped()) {
    const next = await cursor.portions.next();
    if (next.done === true) return false;
    cursor.portion = next.value[Symbol.iterator]();
    if (step(cursor)) return true;
  }
  return false;
}

function first(cursors: Iterable<Cursor>): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of cursors) {
    const isBetter = best === undefined || cursor.key < best.key;
    // At the same instant an unopened source comes first: its records may be of that instant.
    if (isBetter || (cursor.key === best?.key && cursor.head === undefined)) best = cursor;
  }
  return best;
}
