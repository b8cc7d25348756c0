import type {
  DecisionHost,
  DecisionRecord,
  HeldSet,
  LoadedSet,
  SetCandidate,
  SetComparison,
} from "@decern/core";
import { type Checked, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { Comparisons, type Replay, type ReplayedLog, reasonsToHold } from "./comparisons.js";
import { keepNothingAlive, notLoaded, type Place } from "./place.js";

export const activateRows = {
  /** The share of results that may differ, of each decision. From 0 to 1 */
  maxDifferent: requiredOption(kinds.share),
  /** The decision log with the records to compare */
  over: requiredOption(kinds.withMethods<ReplayedLog>("find", "profile")),
  /** `replay` of `@decern/replay` */
  replay: requiredOption(kinds.callback<Replay>()),
  /** The share of records that need not be comparable, of each decision. From 0 to 1. @default 0.1 */
  maxUnknown: option(kinds.share, 0.1),
  /** How many records of each decision are compared, the newest ones. @default 1000 */
  last: option(kinds.wholeNumber, 1000),
  /** How old records can be, in days. @default 30 */
  days: option(kinds.wholeNumber, 30),
  /** Limit for a comparison, in milliseconds. @default 30000 */
  timeoutMs: option(kinds.wholeNumber, 30_000),
  /** Digests of sets that are used without a comparison. @default none */
  approved: option(kinds.listOf(kinds.nonEmptyText), []),
};

/** When a loaded set of decisions is used. */
export interface ActivateOptions extends OptionsOf<typeof activateRows> {}

type Settings = Checked<typeof activateRows>;

/** What came of a comparison. */
interface Compared {
  readonly comparisons: readonly SetComparison[];
  /** Absent where the set can be used. */
  readonly held?: HeldSet;
}

const dayMs = 86_400_000;

/** Compares each set with recorded results before a host accepts it. */
export class Gate {
  readonly #host: DecisionHost;
  readonly #settings: Settings;
  readonly #place: Place;
  readonly #timed: Timed;

  constructor(host: DecisionHost, settings: Settings, place: Place, timed: Timed) {
    this.#host = host;
    this.#settings = settings;
    this.#place = place;
    this.#timed = timed;
  }

  /**
   * @param isFirst - whether nothing is in use yet
   * @throws DecernError immediately for a set that the host would reject; the promise rejects where nothing can be compared
   */
  compare(set: LoadedSet, isFirst: boolean): Promise<Compared> {
    const candidate = this.#host.candidate(set);
    const { revision, digest } = set;
    const isApproved = digest !== undefined && this.#settings.approved.includes(digest);
    if (isApproved || candidate?.changed.length === 0) return Promise.resolve({ comparisons: [] });
    return this.#timed.run(async (signal) => {
      if (candidate === undefined)
        throw notLoaded(this.#place, "cannot be compared before profiles are loaded");
      const comparisons = new Comparisons();
      try {
        await this.#replay(set, candidate, isFirst, comparisons, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw notLoaded(this.#place, "could not be compared with records", error);
      }
      const found = [...comparisons];
      const reasons = found.flatMap((one) => reasonsToHold(one, this.#settings));
      if (reasons.length === 0) return { comparisons: found };
      const { changes } = comparisons;
      return {
        comparisons: found,
        held: { revision, digest, reason: reasons.join("; "), comparisons: found, changes },
      };
    });
  }

  async #replay(
    set: LoadedSet,
    candidate: SetCandidate,
    isFirst: boolean,
    comparisons: Comparisons,
    signal: AbortSignal,
  ): Promise<void> {
    const { over, replay } = this.#settings;
    const { changed, ...served } = candidate;
    let read = 0;
    const find = async function* (this: Gate): AsyncGenerator<DecisionRecord> {
      for (const id of changed) {
        // After a restart, the set is not new if calls were evaluated with it before.
        if (isFirst && (await this.#hasDecided(id, set, candidate))) continue;
        comparisons.start(id);
        for await (const record of this.#recordsOf(id)) {
          read += 1;
          yield record;
        }
      }
      if (read === 0) await this.#refuseUnreadable();
    };
    const records: ReplayedLog = {
      find: () => find.call(this),
      profile: (hash) => over.profile(hash),
      ...(over.content === undefined ? {} : { content: (hash: string) => over.content?.(hash) ?? noContent }),
    };
    const report = await replay(records, served, {
      baseline: "log",
      examples: 0,
      signal,
      onDifference: (difference) => comparisons.note(difference),
    });
    for (const decision of report.decisions) comparisons.add(decision);
  }

  /** The newest records, without those of shadows, which decided nothing. */
  async *#recordsOf(decision: string): AsyncGenerator<DecisionRecord> {
    const { over, last, days } = this.#settings;
    const from = new Date(Date.now() - days * dayMs);
    for await (const record of over.find({ decision, from, newestFirst: true, limit: last }))
      if (record.selectedBy !== "shadow") yield record;
  }

  /** Whether the newest call that named no version was evaluated as the set would. */
  async #hasDecided(
    id: string,
    { profiles, revision }: LoadedSet,
    candidate: SetCandidate,
  ): Promise<boolean> {
    const version = candidate.versions[id]?.default;
    const standard = candidate.decisions.find((one) => one.id === id && one.version === version);
    for await (const { decision, contentHash, selectedBy, profileRevision } of this.#recordsOf(id)) {
      if (selectedBy !== "default") continue;
      return (
        decision.version === version &&
        contentHash === standard?.contentHash &&
        (profiles === undefined || (revision !== undefined && profileRevision === revision))
      );
    }
    return false;
  }

  /** A log without a readable record is not an empty one if it has anything else. */
  async #refuseUnreadable(): Promise<void> {
    let unreadable = 0;
    const onUnreadable = (): void => {
      unreadable += 1;
    };
    for await (const _record of this.#settings.over.find({ newestFirst: true, limit: 1, onUnreadable }))
      return;
    if (unreadable > 0) throw new Error("the log has no readable record");
  }
}

const noContent = Promise.resolve(undefined);

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
