import type { SourceHost, SourceWatch } from "@decern/core";
import type { Gate } from "./gate.js";
import { Timed } from "./gate.js";
import { Intake } from "./intake.js";
import { keepNothingAlive, type Loader, notLoaded, type WakeSource } from "./place.js";

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
  readonly #loads: Timed;

  /** Whether a load was asked for while one was running, which may have read the old set. */
  #isWoken = false;
  #isPolling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopWaking: (() => unknown) | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** @param gate - makes what decides on each set before the host accepts it; stops with the signal. @default nothing does */
  constructor(loader: Loader, times: PollTimes, host: SourceHost, gate?: (stopping: AbortSignal) => Gate) {
    const { signal } = this.#stopping;
    this.#loader = loader;
    this.#times = times;
    this.#intake = new Intake(host, gate?.(signal));
    this.#loads = new Timed(loader.place, "load", times.timeoutMs, signal);
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
        this.#settle(this.#intake.take(this.#loader.loadNow()));
      } catch (error) {
        this.#intake.fail(error);
        this.#pollLater();
      }
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
      Promise.resolve(this.#stopWaking?.()).catch(() => {});
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
    const { etag } = this.#intake;
    try {
      const loaded = await this.#loads.run((signal) =>
        this.#loader.load(etag === undefined ? { signal } : { signal, etag }),
      );
      const { signal } = this.#stopping;
      const taking = signal.aborted ? undefined : this.#intake.take(loaded, signal);
      // Without a gate or a long check, the next load is scheduled in the same turn.
      if (taking !== undefined) await taking;
    } catch (error) {
      this.#intake.fail(error);
    }
    this.#isPolling = false;
    this.#pollLater();
  }

  /** Loads again after a while, once the first set is taken or not. */
  #settle(taking: Promise<void> | undefined): void {
    if (taking === undefined) {
      this.#pollLater();
      return;
    }
    this.#isPolling = true;
    this.#turn = taking.then(() => {
      this.#isPolling = false;
      this.#pollLater();
    });
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
