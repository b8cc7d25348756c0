// Kept from before anybody's test puts a fake in its place, under which no batch would go on.
const inNextTurn = globalThis.setImmediate;

/**
 * How long a batch may work before it yields the event loop, in milliseconds. One evaluation is never interrupted.
 */
const sliceMs = 3;

/** Reading the clock takes a part of a quick evaluation's time, so it is not read after each of them. */
const quickMs = 0.1;
const mostSkipped = 3;

/** Shares the event loop between the batches of a service: however many there are, one of them works in each turn. */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits for a turn.
   *
   * @returns a function that tells whether the work is to go on in this turn
   */
  next(): Promise<() => boolean> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        let lookedMs = performance.now();
        const endMs = lookedMs + sliceMs;
        let skip = 0;
        resolve(() => {
          if (skip > 0) {
            skip -= 1;
            return true;
          }
          const nowMs = performance.now();
          skip = nowMs - lookedMs < quickMs ? mostSkipped : 0;
          lookedMs = nowMs;
          return nowMs < endMs;
        });
      });
      if (this.#waiting.length === 1) inNextTurn(this.#grant);
    });
  }

  readonly #grant = (): void => {
    const begin = this.#waiting.shift();
    // What is requested within a turn takes place in the next one at the earliest.
    if (this.#waiting.length > 0) inNextTurn(this.#grant);
    begin?.();
  };
}
