import { keepNothingAlive } from "./keep-nothing-alive.js";
import { notLoaded } from "./profile-document.js";
import type { LoadedProfiles, ProfileLoader } from "./profile-loader.js";

// What is waited for is real: so is the time-out, also where a test has replaced the timers.
const { setTimeout: startTimeout, clearTimeout: endTimeout } = globalThis;

/** Loads one at a time, each with a time-out. */
export class TimedLoader {
  readonly #loader: ProfileLoader;
  readonly #timeoutMs: number;
  readonly #stopping: AbortSignal;
  #isBusy = false;

  /** @param stopping - ends a running load with its reason */
  constructor(loader: ProfileLoader, timeoutMs: number, stopping: AbortSignal) {
    this.#loader = loader;
    this.#timeoutMs = timeoutMs;
    this.#stopping = stopping;
  }

  /** True also for a load that was given up and has not ended. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /**
   * @param etag - the tag of the set that was accepted last
   * @throws what the loader throws; DecernError `PROFILES_NOT_LOADED` after the time-out
   */
  async load(etag: string | undefined): Promise<LoadedProfiles | undefined> {
    const { name } = this.#loader;
    if (this.#isBusy) throw notLoaded(name, "is still busy with a load that was given up");
    const giveUp = new AbortController();
    const onStop = (): void => giveUp.abort(this.#stopping.reason);
    const deadline = startTimeout(
      () => giveUp.abort(notLoaded(name, `took longer than ${this.#timeoutMs} ms`)),
      this.#timeoutMs,
    );
    keepNothingAlive(deadline);
    this.#stopping.addEventListener("abort", onStop, { once: true });
    try {
      return await this.#loadUntil(giveUp.signal, etag);
    } finally {
      endTimeout(deadline);
      this.#stopping.removeEventListener("abort", onStop);
    }
  }

  #loadUntil(signal: AbortSignal, etag: string | undefined): Promise<LoadedProfiles | undefined> {
    this.#isBusy = true;
    const load = this.#loader.load(etag === undefined ? { signal } : { signal, etag }).finally(() => {
      this.#isBusy = false;
    });
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      load.then(resolve, reject);
    });
  }
}
