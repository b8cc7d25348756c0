import { ignoreRejection } from "../awaitable.js";
import { keepNothingAlive } from "./keep-nothing-alive.js";
import { notLoaded } from "./profile-document.js";
import { ProfileIntake } from "./profile-intake.js";
import type { ProfileLoader } from "./profile-loader.js";
import type { ProfileWatch, ProfileWatcher } from "./profile-source.js";
import { TimedLoader } from "./timed-loader.js";
import type { WakeProfiles } from "./watch-profiles-options.js";

/** How often profiles are loaded, and how long a load may take. */
export interface PollTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Makes loads come sooner. */
  readonly wake: WakeProfiles | undefined;
}

/** Loads profiles for one host again and again, one load at a time. */
export class ProfilePoll implements ProfileWatch {
  readonly #loader: ProfileLoader;
  readonly #times: PollTimes;
  readonly #intake: ProfileIntake;
  readonly #stopping = new AbortController();
  readonly #loads: TimedLoader;

  /** Whether a load was asked for while one was running, which may have read the old set. */
  #isWoken = false;
  #isPolling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopWaking: (() => unknown) | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(loader: ProfileLoader, times: PollTimes, host: ProfileWatcher) {
    this.#loader = loader;
    this.#times = times;
    this.#intake = new ProfileIntake(host);
    this.#loads = new TimedLoader(loader, times.timeoutMs, this.#stopping.signal);
  }

  get first(): Promise<void> {
    return this.#intake.first;
  }

  get isReady(): boolean {
    return this.#intake.isReady;
  }

  /** Makes the first load, at once where the loader can. */
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
    // After the first load, which must be able to read: nobody is woken for what was there before.
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
      const error = notLoaded(this.#loader.name, "is no longer watched");
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
    // The host may stop the watch while it is told how a load ended.
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
