import { setImmediate as nextTurn } from "node:timers/promises";

/** How long a batch may be evaluated before it yields the event loop, in milliseconds. One evaluation is never interrupted. */
const sliceMs = 10;

/**
 * Time to work in. A source renews its claim on a batch with timers, and a scraper wants its page: neither may wait until a
 * whole batch is evaluated.
 */
export class Slice {
  #endMs = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Yields the event loop, then starts a new slice. */
  async renew(): Promise<void> {
    await nextTurn();
    this.#endMs = performance.now() + sliceMs;
  }
}
