import type {
  DecisionHost,
  DecisionLog,
  DecisionRecord,
  HeldSet,
  LoadedSet,
  RecordChange,
  RecordOutcome,
  SetCandidate,
  SetComparison,
} from "@decern/core";
import { type Checked, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { notLoaded, type Place } from "./place.js";
import type { Timed } from "./timed.js";

/** What a replay reads: a decision log, for example. */
export type ReplayedLog = Pick<DecisionLog, "find" | "profile"> & Partial<Pick<DecisionLog, "content">>;

type Verdict = "unchanged" | "changed" | "notReproducible" | "inconclusive" | "failed" | "skipped";

/** The part of `@decern/replay` that compares a set with records, so that only hosts that compare install it. */
export type Replay = (
  records: ReplayedLog,
  candidate: Pick<SetCandidate, "decisions" | "profiles" | "versions">,
  options: {
    readonly baseline: "log";
    readonly examples: 0;
    readonly signal: AbortSignal;
    onDifference(difference: {
      readonly record: DecisionRecord;
      readonly verdict: Exclude<Verdict, "unchanged">;
      readonly before?: RecordOutcome;
      readonly after?: RecordOutcome;
    }): void;
  },
) => Promise<{
  readonly decisions: readonly {
    readonly decisionId: string;
    readonly counts: Readonly<Record<Verdict, number>>;
    /** As `counts`, each record weighted by the calls that it stands for. */
    readonly estimated: Readonly<Record<Verdict, number>>;
  }[];
}>;

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
export interface Compared {
  readonly comparisons: readonly SetComparison[];
  /** Absent where the set can be used. */
  readonly held?: HeldSet;
}

/** Most changes of a decision that a report lists. */
const mostChanges = 20;

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
      const reasons = found.flatMap((one) => this.#reasons(one));
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

  #reasons({
    decisionId,
    compared,
    different,
    unknown,
    differentShare,
    unknownShare,
  }: SetComparison): string[] {
    const { maxDifferent, maxUnknown } = this.#settings;
    if (compared === 0 && unknown > 0)
      return [`none of the ${unknown} records of ${decisionId} could be compared`];
    const reasons: string[] = [];
    if (differentShare > maxDifferent) {
      const shares = `${percent(differentShare)} of the calls, more than ${percent(maxDifferent)}`;
      reasons.push(
        `${different} of ${compared} records of ${decisionId} would have another result (${shares})`,
      );
    }
    if (unknownShare > maxUnknown) {
      const shares = `${percent(unknownShare)} of the calls, more than ${percent(maxUnknown)}`;
      reasons.push(`${unknown} records of ${decisionId} could not be compared (${shares})`);
    }
    return reasons;
  }
}

const noContent = Promise.resolve(undefined);

/** What a replay found, by decision. */
class Comparisons implements Iterable<SetComparison> {
  readonly changes: RecordChange[] = [];
  readonly #found = new Map<string, SetComparison>();
  readonly #listed = new Map<string, number>();
  readonly #erased = new Map<string, { records: number; calls: number }>();

  start(decisionId: string): void {
    const none = { compared: 0, different: 0, unknown: 0, erased: 0, differentShare: 0, unknownShare: 0 };
    this.#found.set(decisionId, { decisionId, ...none });
  }

  note({ record, verdict, before, after }: Parameters<Parameters<Replay>[2]["onDifference"]>[0]): void {
    const { recordId, decision, masked, payload, sampleRate } = record;
    if (verdict === "inconclusive" && payload === null && !masked.includes("")) {
      const erased = this.#erased.get(decision.id) ?? { records: 0, calls: 0 };
      this.#erased.set(decision.id, { records: erased.records + 1, calls: erased.calls + 1 / sampleRate });
    }
    const listed = this.#listed.get(decision.id) ?? 0;
    if (before === undefined || after === undefined || listed === mostChanges) return;
    this.#listed.set(decision.id, listed + 1);
    // What was masked could be seen in an output, also in that of a control run.
    const isShown = masked.every((pointer) => pointer === "/profile");
    this.changes.push({
      recordId,
      decisionId: decision.id,
      before: outcomeIn(before, isShown),
      after: outcomeIn(after, isShown),
    });
  }

  add({ decisionId, counts, estimated }: Awaited<ReturnType<Replay>>["decisions"][number]): void {
    const erased = this.#erased.get(decisionId) ?? { records: 0, calls: 0 };
    const comparedCalls = estimated.unchanged + estimated.changed + estimated.failed;
    const unknownCalls = Math.max(0, estimated.notReproducible + estimated.inconclusive - erased.calls);
    this.#found.set(decisionId, {
      decisionId,
      compared: counts.unchanged + counts.changed + counts.failed,
      different: counts.changed + counts.failed,
      unknown: counts.notReproducible + counts.inconclusive,
      erased: erased.records,
      differentShare: comparedCalls === 0 ? 0 : (estimated.changed + estimated.failed) / comparedCalls,
      unknownShare: unknownCalls === 0 ? 0 : unknownCalls / (comparedCalls + unknownCalls),
    });
  }

  [Symbol.iterator](): IterableIterator<SetComparison> {
    return this.#found.values();
  }
}

function outcomeIn({ outcome, version, data }: RecordOutcome, isShown: boolean): RecordOutcome {
  return { outcome, version, ...(isShown && data !== undefined ? { data } : {}) };
}

/** For reading: a share slightly above the limit must not look equal to it. */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
