import { keepNothingAlive, notLoaded, type Place } from "./place.js";

// What is waited for is real: so is the time-out, also where a test has replaced the timers.
const { setTimeout: startTimeout, clearTimeout: endTimeout } = globalThis;

/** Does one piece of work at a time, each with a time-out. */
export class Timed {
  readonly #place: Place;
  readonly #what: "load" | "comparison";
  readonly #timeoutMs: number;
  readonly #stopping: AbortSignal;
  #isBusy = false;

  /** @param stopping - ends what runs, with its reason */
  constructor(place: Place, what: "load" | "comparison", timeoutMs: number, stopping: AbortSignal) {
    this.#place = place;
    this.#what = what;
    this.#timeoutMs = timeoutMs;
    this.#stopping = stopping;
  }

  /** Also true for work that was given up and has not ended. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** @throws what `work` throws; DecernError `PROFILES_NOT_LOADED` or `DECISIONS_NOT_LOADED` after the time-out */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isBusy) throw notLoaded(this.#place, `is still busy with a ${this.#what} that was given up`);
    const giveUp = new AbortController();
    const onStop = (): void => giveUp.abort(this.#stopping.reason);
    const deadline = startTimeout(() => giveUp.abort(notLoaded(this.#place, this.#tooLong)), this.#timeoutMs);
    keepNothingAlive(deadline);
    this.#stopping.addEventListener("abort", onStop, { once: true });
    try {
      return await this.#runUntil(giveUp.signal, work);
    } finally {
      endTimeout(deadline);
      this.#stopping.removeEventListener("abort", onStop);
    }
  }

  get #tooLong(): string {
    const what = this.#what === "load" ? "took" : "took, for the comparison with records,";
    return `${what} longer than ${this.#timeoutMs} ms`;
  }

  #runUntil<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#isBusy = true;
    const done = work(signal).finally(() => {
      this.#isBusy = false;
    });
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      done.then(resolve, reject);
    });
  }
}
