import { ignoreRejection } from "../awaitable.js";
import { ActivationTimer } from "./activation-timer.js";
import { keepNothingAlive } from "./keep-nothing-alive.js";
import { notLoaded } from "./profile-document.js";
import type { LoadedProfiles, ProfileLoader } from "./profile-loader.js";
import type { ProfileLoad, ProfileWatch, ProfileWatcher } from "./profile-source.js";
import type { WakeProfiles } from "./watch-profiles-options.js";

// What is waited for is real: so is the time-out, also where a test has replaced the timers.
const { setTimeout: startTimeout, clearTimeout: endTimeout } = globalThis;

/** How often profiles are loaded, and how long a load may take. */
export interface PollTimes {
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Makes loads come sooner. */
  readonly wake: WakeProfiles | undefined;
}

/** Loads profiles for one host again and again, one load at a time. */
export class ProfilePoll implements ProfileWatch {
  readonly first: Promise<void>;
  readonly #loader: ProfileLoader;
  readonly #times: PollTimes;
  readonly #host: ProfileWatcher;
  readonly #activation = new ActivationTimer();
  readonly #stopping = new AbortController();
  readonly #firstAccepted: () => void;
  readonly #firstFailed: (error: unknown) => void;

  /** The set that was accepted last: in use, or to be. */
  #current: AcceptedSet | undefined;
  /** The tag of that set. That of a refused set is not kept: the source would say "unchanged" for it ever after. */
  #etag: string | undefined;
  /** What was refused last, while it may come again. */
  #refusedText: string | undefined;
  #isFailing = false;
  #isReady = false;
  /** True also for a load that was given up and has not ended. */
  #isLoading = false;
  /** Whether a load was asked for while one was running, which may have read the old set. */
  #isWoken = false;
  #isPolling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopWaking: (() => unknown) | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(loader: ProfileLoader, times: PollTimes, host: ProfileWatcher) {
    this.#loader = loader;
    this.#times = times;
    this.#host = host;
    let accepted = (): void => {};
    let failed = (_error: unknown): void => {};
    this.first = new Promise((resolve, reject) => {
      accepted = resolve;
      failed = reject;
    });
    this.#firstAccepted = accepted;
    this.#firstFailed = failed;
    ignoreRejection(this.first);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Makes the first load, at once where the loader can. */
  start(): void {
    if (this.#loader.loadNow === undefined) {
      this.#turn = this.#poll();
    } else {
      try {
        this.#take(this.#loader.loadNow());
      } catch (error) {
        this.#fail(error);
      }
      this.#pollLater();
    }
    // After the first load, which must be able to read: nobody is woken for what was there before.
    if (this.#isStopped) return;
    try {
      this.#stopWaking = this.#times.wake?.(() => this.#loadSoon());
    } catch (error) {
      this.#fail(error);
    }
  }

  stop(): Promise<void> {
    if (!this.#isStopped) {
      clearTimeout(this.#timer);
      this.#activation.stop();
      this.#endWaking();
      const error = notLoaded(this.#loader.name, "is no longer watched");
      this.#stopping.abort(error);
      this.#firstFailed(error);
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
      const loaded = await this.#load();
      if (!this.#isStopped) this.#take(loaded);
    } catch (error) {
      this.#fail(error);
    }
    this.#isPolling = false;
    this.#pollLater();
  }

  #pollLater(): void {
    // The host may stop the watch while it is told how a load ended.
    if (this.#isStopped) return;
    // A load that was given up and still runs is not waited for in a loop.
    if (this.#isWoken && !this.#isLoading) {
      this.#isWoken = false;
      this.#turn = this.#poll();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#turn = this.#poll();
    }, this.#times.everyMs);
    keepNothingAlive(this.#timer);
  }

  /** Loads, and gives up after the time-out or when the watch is stopped. */
  async #load(): Promise<LoadedProfiles | undefined> {
    const { name } = this.#loader;
    if (this.#isLoading) throw notLoaded(name, "is still busy with a load that was given up");
    const { timeoutMs } = this.#times;
    const giveUp = new AbortController();
    const onStop = (): void => giveUp.abort(this.#stopping.signal.reason);
    const deadline = startTimeout(
      () => giveUp.abort(notLoaded(name, `took longer than ${timeoutMs} ms`)),
      timeoutMs,
    );
    keepNothingAlive(deadline);
    this.#stopping.signal.addEventListener("abort", onStop, { once: true });
    try {
      return await this.#loadUntil(giveUp.signal);
    } finally {
      endTimeout(deadline);
      this.#stopping.signal.removeEventListener("abort", onStop);
    }
  }

  #loadUntil(signal: AbortSignal): Promise<LoadedProfiles | undefined> {
    this.#isLoading = true;
    const context = this.#etag === undefined ? { signal } : { signal, etag: this.#etag };
    const load = this.#loader.load(context).finally(() => {
      this.#isLoading = false;
    });
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      load.then(resolve, reject);
    });
  }

  /** Takes what was loaded into use, unless it is in use already or was refused before. */
  #take(loaded: LoadedProfiles | undefined): void {
    if (loaded === undefined || loaded.text === this.#current?.text) {
      if (loaded !== undefined) this.#etag = loaded.etag;
      this.#refusedText = undefined;
      if (this.#isFailing) this.#succeed();
      return;
    }
    if (loaded.text === this.#refusedText) return;
    try {
      const set = loaded.read();
      this.#host.accept(set);
      this.#current = { text: loaded.text, revision: set.revision, activateAtMs: set.activateAtMs };
    } catch (error) {
      this.#refusedText = loaded.text;
      this.#fail(error);
      return;
    }
    this.#etag = loaded.etag;
    this.#refusedText = undefined;
    this.#succeed();
  }

  #succeed(): void {
    this.#isFailing = false;
    this.#activation.stop();
    const { revision, activateAtMs } = this.#current ?? {};
    if (activateAtMs === undefined || Date.now() >= activateAtMs) {
      this.#tellInUse(revision);
      return;
    }
    if (this.#isStopped) return;
    // The host changes by itself, and in time where this timer is late.
    this.#activation.start(activateAtMs, () => this.#tellInUse(revision));
    this.#tell({ outcome: "scheduled", revision, activateAtMs });
  }

  #tellInUse(revision: string | undefined): void {
    this.#isReady = true;
    this.#firstAccepted();
    this.#tell({ outcome: "loaded", revision });
  }

  #fail(error: unknown): void {
    this.#isFailing = true;
    this.#firstFailed(error);
    this.#tell({ outcome: "failed", error });
  }

  #tell(load: ProfileLoad): void {
    // The host may stop the watch while it accepts a set.
    if (this.#isStopped) return;
    try {
      // A host may be written without types, and be asynchronous.
      ignoreRejection(this.#host.onLoad(load));
    } catch {
      // There is nobody else to tell.
    }
  }
}

/** A set that the host has accepted. */
interface AcceptedSet {
  readonly text: string;
  readonly revision: string | undefined;
  readonly activateAtMs: number | undefined;
}
