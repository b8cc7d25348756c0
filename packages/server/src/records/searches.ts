import { DecernError } from "@decern/core";
import { Lists, LoadGate } from "@decern/core/host";
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
