import type {
  DecisionLog,
  DecisionRecord,
  RecordChange,
  RecordOutcome,
  SetCandidate,
  SetComparison,
} from "@decern/core";

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

/** Most changes of a decision that a report lists. */
const mostChanges = 20;

/** What a replay found, by decision. */
export class Comparisons implements Iterable<SetComparison> {
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

/** Why a set is held: one for each limit that a decision is above. */
export function reasonsToHold(
  { decisionId, compared, different, unknown, differentShare, unknownShare }: SetComparison,
  { maxDifferent, maxUnknown }: { readonly maxDifferent: number; readonly maxUnknown: number },
): readonly string[] {
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

function outcomeIn({ outcome, version, data }: RecordOutcome, isShown: boolean): RecordOutcome {
  return { outcome, version, ...(isShown && data !== undefined ? { data } : {}) };
}

/** For reading: a share slightly above the limit must not look equal to it. */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))} %`;
}
