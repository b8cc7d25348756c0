import {
  DecernError,
  type HeldSet,
  type LoadedSet,
  type SetComparison,
  type SourceHost,
  type SourceLoad,
} from "@decern/core";
import { isThenable } from "@decern/core/tools";
import type { Gate } from "./gate.js";
import { keepNothingAlive, type Loaded } from "./place.js";

/**
 * The longest wait, in milliseconds. A timer counts the time that a machine runs, while the clock can be set, or continue while
 * the machine sleeps. Nor can a timer wait for years.
 */
const longestMs = 60_000;

/** Calls back at an instant of the machine's clock, however far off it is. At most a minute late when the clock is set. */
class ActivationTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param atMs - in milliseconds since the Unix epoch. Replaces the instant before. */
  start(atMs: number, callback: () => void): void {
    this.stop();
    this.#timer = setTimeout(
      () => {
        // A timer may come early.
        if (Date.now() < atMs) this.start(atMs, callback);
        else callback();
      },
      Math.min(atMs - Date.now(), longestMs),
    );
    keepNothingAlive(this.#timer);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A set that the host has accepted. */
interface AcceptedSet {
  readonly text: string;
  readonly revision: string | undefined;
  readonly activateAtMs: number | undefined;
  /** With records, before it was accepted. */
  readonly comparisons: readonly SetComparison[] | undefined;
  /** Whether `onLoad` was called with it as loaded. Stays true when the clock is set back. */
  isInUse: boolean;
}

/** Gives loaded sets to one host, each once, and reports each load to it. */
export class Intake {
  /** Resolves when the first set has come into use, and rejects when the first load fails. */
  readonly first: Promise<void>;
  readonly #host: SourceHost;
  readonly #gate: Gate | undefined;
  readonly #activation = new ActivationTimer();
  readonly #firstInUse: () => void;
  readonly #firstFailed: (error: unknown) => void;

  /** The set that was accepted last: in use or scheduled. */
  #current: AcceptedSet | undefined;
  /** The tag of that set. That of a rejected set is not kept, or the source would report "unchanged" from then on. */
  #etag: string | undefined;
  /** The set that was rejected or held last, which is not reported again. */
  #refusedText: string | undefined;
  /** That set, if it is held. */
  #held: HeldSet | undefined;
  #isFailing = false;
  #isReady = false;
  #isStopped = false;

  /** @param gate - decides on each set before the host accepts it. @default nothing does */
  constructor(host: SourceHost, gate?: Gate | undefined) {
    this.#host = host;
    this.#gate = gate;
    let inUse = (): void => {};
    let failed = (_error: unknown): void => {};
    this.first = new Promise((resolve, reject) => {
      inUse = resolve;
      failed = reject;
    });
    this.#firstInUse = inUse;
    this.#firstFailed = failed;
    this.first.catch(() => {});
  }

  /** Whether a set has come into use. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The tag of the set that was accepted last. */
  get etag(): string | undefined {
    return this.#etag;
  }

  /**
   * Takes what was loaded into use, unless it is in use already or was rejected before.
   *
   * @param signal - ends the check of a set, which must not block then. @default it may: nothing is in use yet
   * @returns what to wait for where a check takes long, or a gate decides. It never rejects
   */
  take(loaded: Loaded | undefined, signal?: AbortSignal): Promise<void> | undefined {
    if (loaded === undefined || loaded.text === this.#current?.text) {
      if (loaded !== undefined) this.#etag = loaded.etag;
      const isBack = this.#isFailing || this.#held !== undefined;
      this.#refusedText = undefined;
      this.#held = undefined;
      if (isBack && this.#current !== undefined) this.#succeed(this.#current);
      return undefined;
    }
    if (loaded.text === this.#refusedText) {
      // After a failure, it is known again what there is.
      if (this.#held !== undefined && this.#isFailing) this.#hold(loaded, this.#held);
      return undefined;
    }
    try {
      const { check, ...set } = loaded.read();
      const checking = check?.(signal);
      if (isThenable(checking)) return this.#takeChecked(checking, loaded, set);
      if (checking !== undefined) throw checking;
      return this.#compare(loaded, set);
    } catch (error) {
      this.#refuse(loaded, error);
    }
    return undefined;
  }

  async #takeChecked(
    checking: PromiseLike<DecernError | undefined>,
    loaded: Loaded,
    set: LoadedSet,
  ): Promise<void> {
    let wrong: DecernError | undefined;
    try {
      wrong = await checking;
    } catch (error) {
      // The set is not to blame, and is checked again with the next load.
      this.fail(error);
      return;
    }
    if (this.#isStopped) return;
    try {
      if (wrong !== undefined) throw wrong;
      await this.#compare(loaded, set);
    } catch (error) {
      this.#refuse(loaded, error);
    }
  }

  /** @throws DecernError for a set that the host rejects before it is compared */
  #compare(loaded: Loaded, set: LoadedSet): Promise<void> | undefined {
    const comparing = this.#gate?.compare(set, !this.#isReady && this.#current === undefined);
    if (comparing !== undefined) return this.#takeOnce(comparing, loaded, set);
    this.#accept(loaded, set);
    return undefined;
  }

  async #takeOnce(comparing: ReturnType<Gate["compare"]>, loaded: Loaded, set: LoadedSet): Promise<void> {
    try {
      const { comparisons, held } = await comparing;
      if (this.#isStopped) return;
      if (held === undefined) this.#accept(loaded, set, comparisons);
      else this.#hold(loaded, held);
    } catch (error) {
      // The set is not to blame, and is compared again with the next load.
      this.fail(error);
    }
  }

  #accept(loaded: Loaded, set: LoadedSet, comparisons?: readonly SetComparison[]): void {
    try {
      this.#host.accept(set);
    } catch (error) {
      this.#refuse(loaded, error);
      return;
    }
    const { revision, activateAtMs } = set;
    this.#current = { text: loaded.text, revision, activateAtMs, comparisons, isInUse: false };
    this.#etag = loaded.etag;
    this.#refusedText = undefined;
    this.#held = undefined;
    this.#succeed(this.#current);
  }

  #refuse({ text }: Loaded, error: unknown): void {
    this.#refusedText = text;
    this.#held = undefined;
    this.fail(error);
  }

  #hold({ text }: Loaded, held: HeldSet): void {
    this.#refusedText = text;
    this.#held = held;
    this.#isFailing = false;
    this.#firstFailed(new DecernError("DECISIONS_NOT_LOADED", { detail: held.reason }));
    this.#tell({ outcome: "held", ...held });
  }

  fail(error: unknown): void {
    this.#isFailing = true;
    this.#firstFailed(error);
    this.#tell({ outcome: "failed", error });
  }

  /** After this call, the host's functions are not called. */
  stop(error: unknown): void {
    this.#isStopped = true;
    this.#activation.stop();
    this.#firstFailed(error);
  }

  #succeed(set: AcceptedSet): void {
    this.#isFailing = false;
    this.#activation.stop();
    const { revision, activateAtMs, comparisons } = set;
    if (set.isInUse || activateAtMs === undefined || Date.now() >= activateAtMs) {
      this.#tellInUse(set);
      return;
    }
    if (this.#isStopped) return;
    // The host changes by itself, and in time where this timer is late.
    this.#activation.start(activateAtMs, () => this.#tellInUse(set));
    this.#tell({ outcome: "scheduled", revision, activateAtMs, ...(comparisons && { comparisons }) });
  }

  #tellInUse(set: AcceptedSet): void {
    const { revision, comparisons } = set;
    const isNew = !set.isInUse;
    set.isInUse = true;
    this.#isReady = true;
    this.#firstInUse();
    this.#tell({ outcome: "loaded", revision, ...(isNew && comparisons && { comparisons }) });
  }

  #tell(load: SourceLoad): void {
    // The host can stop the watch while it accepts a set.
    if (this.#isStopped) return;
    try {
      // A host without types can be asynchronous.
      Promise.resolve(this.#host.onLoad(load)).catch(() => {});
    } catch {
      // The host's own function failed: there is nowhere else to report to.
    }
  }
}
