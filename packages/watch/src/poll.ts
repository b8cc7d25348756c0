import type { SourceHost, SourceWatch } from "@decern/core";
import { ignoreRejection } from "@decern/core/tools";
import { Intake } from "./intake.js";
import { keepNothingAlive, type Loaded, type Loader, notLoaded, type WakeSource } from "./place.js";

// What is waited for is real: so is the time-out, also where a test has replaced the timers.
const { setTimeout: startTimeout, clearTimeout: endTimeout } = globalThis;

/** Loads one at a time, each with a time-out. */
class TimedLoader {
  readonly #loader: Loader;
  readonly #timeoutMs: number;
  readonly #stopping: AbortSignal;
  #isBusy = false;

  /** @param stopping - ends a running load with its reason */
  constructor(loader: Loader, timeoutMs: number, stopping: AbortSignal) {
    this.#loader = loader;
    this.#timeoutMs = timeoutMs;
    this.#stopping = stopping;
  }

  /** Also true for a load that was given up and has not ended. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /**
   * @param etag - the tag of the set that was accepted last
   * @throws what the loader throws; DecernError `PROFILES_NOT_LOADED` after the time-out
   */
  async load(etag: string | undefined): Promise<Loaded | undefined> {
    const { place } = this.#loader;
    if (this.#isBusy) throw notLoaded(place, "is still busy with a load that was given up");
    const giveUp = new AbortController();
    const onStop = (): void => giveUp.abort(this.#stopping.reason);
    const deadline = startTimeout(
      () => giveUp.abort(notLoaded(place, `took longer than ${this.#timeoutMs} ms`)),
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

  #loadUntil(signal: AbortSignal, etag: string | undefined): Promise<Loaded | undefined> {
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

/** How often a place is read, and how long a load may take. */
interface PollTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
  readonly wake: WakeSource | undefined;
}

/** Loads sets for one host again and again, one load at a time. */
export class Poll implements SourceWatch {
  readonly #loader: Loader;
  readonly #times: PollTimes;
  readonly #intake: Intake;
  readonly #stopping = new AbortController();
  readonly #loads: TimedLoader;

  /** Whether a load was asked for while one was running, which may have read the old set. */
  #isWoken = false;
  #isPolling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopWaking: (() => unknown) | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(loader: Loader, times: PollTimes, host: SourceHost) {
    this.#loader = loader;
    this.#times = times;
    this.#intake = new Intake(host);
    this.#loads = new TimedLoader(loader, times.timeoutMs, this.#stopping.signal);
  }

  get first(): Promise<void> {
    return this.#intake.first;
  }

  get isReady(): boolean {
    return this.#intake.isReady;
  }

  /** Makes the first load, immediately where the loader can. */
  start(): void {
    if (this.#loader.loadNow === undefined) {
      this.#turn = this.#poll();
    } else {
      try {
        this.#intake.take(this.#loader.loadNow());
      } catch (error) {
        this.#intake.fail(error);
      }
      this.#pollLater();
    }
    // After the first load, so that the listener is not called for what was there before.
    if (this.#isStopped) return;
    try {
      this.#stopWaking = this.#times.wake?.(() => this.#loadSoon());
    } catch (error) {
      this.#intake.fail(error);
    }
  }

  stop(): Promise<void> {
    if (!this.#isStopped) {
      clearTimeout(this.#timer);
      this.#endWaking();
      const error = notLoaded(this.#loader.place, "is no longer watched");
      this.#stopping.abort(error);
      this.#intake.stop(error);
    }
    return this.#turn;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  #endWaking(): void {
    try {
      ignoreRejection(this.#stopWaking?.());
    } catch {
      // The watch ends all the same.
    }
  }

  #loadSoon(): void {
    if (this.#isStopped) return;
    if (this.#isPolling) {
      this.#isWoken = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#turn = this.#poll();
  }

  /** Never rejects. */
  async #poll(): Promise<void> {
    this.#isPolling = true;
    try {
      const loaded = await this.#loads.load(this.#intake.etag);
      if (!this.#isStopped) this.#intake.take(loaded);
    } catch (error) {
      this.#intake.fail(error);
    }
    this.#isPolling = false;
    this.#pollLater();
  }

  #pollLater(): void {
    // The host can stop the watch in `onLoad`.
    if (this.#isStopped) return;
    // A load that was given up and still runs is not waited for in a loop.
    if (this.#isWoken && !this.#loads.isBusy) {
      this.#isWoken = false;
      this.#turn = this.#poll();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#turn = this.#poll();
    }, this.#times.everyMs);
    keepNothingAlive(this.#timer);
  }
}
