import { DecernError, type DecisionLog, type RecordQuery } from "@decern/core";
import { Lists, LoadGate } from "@decern/core/host";
import type { RecordsPage } from "@decern/pages";
import type { FastifyReply } from "fastify";

/** A search of files may read a day of records: further ones would only be slower, and each takes memory. */
const mostAtOnce = 2;

const mostWaiting = 16;

/** Lets few requests search the records at the same time. */
export class Searches {
  readonly #load = new LoadGate({ maxConcurrent: mostAtOnce });
  readonly #lists = new Lists({ hasRoomForMany: true }, this.#load);
  #begun = 0;

  /**
   * Searches once it is its turn.
   *
   * @param search - is to end once the signal is aborted, because the client has left
   * @throws DecernError `OVERLOADED` where too many wait
   */
  async run<T>({ raw }: FastifyReply, search: (gone: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#begun >= mostAtOnce + mostWaiting) throw new DecernError("OVERLOADED");
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    const places = this.#lists.placesOf(leaving, () => raw.closed);
    this.#begun += 1;
    raw.once("close", leave);
    try {
      return (await places.enter()) ? await search(leaving.signal) : undefined;
    } finally {
      raw.off("close", leave);
      places.leave();
      this.#begun -= 1;
    }
  }

  stop(): void {
    this.#load.stop();
  }
}

/** The same items until the signal is aborted. Then whatever is under way ends soon, and there are no more. */
export function until<T>(gone: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      const stop = (): void => void iterator.return?.().catch(() => {});
      if (gone.aborted) stop();
      else gone.addEventListener("abort", stop, { once: true });
      return iterator;
    },
  };
}

const mostCounted = 10_000;

/** To count for longer would cost the service more than the figure is worth. */
const mostMs = 1000;

/**
 * Counts records by reading them, since a store has no figure for every search.
 *
 * @param forMs - after which the count ends with what it has
 */
export async function countRecords(
  find: DecisionLog["find"],
  conditions: Omit<RecordQuery, "newestFirst" | "limit">,
  forMs = mostMs,
): Promise<NonNullable<RecordsPage["total"]>> {
  const late = AbortSignal.timeout(forMs);
  let records = 0;
  const found = find({ ...conditions, newestFirst: true, limit: mostCounted + 1 });
  for await (const _ of until(late, found)) records += 1;
  return records > mostCounted
    ? { records: mostCounted, isExact: false }
    : { records, isExact: !late.aborted };
}
