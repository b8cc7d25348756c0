import type { UnreadableRecord } from "@decern/core";

/**
 * What became of one record.
 * - `unchanged`: status, rule and output are the same
 * - `changed`: one of them is not
 * - `notReproducible`: the control run, on the recorded revision, was not as recorded
 * - `inconclusive`: a rule reads a masked value, or there is nothing left to evaluate
 * - `failed`: the candidate failed where the recorded call did not
 * - `skipped`: the candidate does not have the decision
 */
export type Verdict = "unchanged" | "changed" | "notReproducible" | "inconclusive" | "failed" | "skipped";

/** How many records there are of each judgement. */
export type Tally = { readonly [Name in Verdict]: number };

/** The outcome of a replay. It is plain JSON. */
export interface ReplayReport {
  readonly reportVersion: 1;
  /** Whether no larger share changed, failed or was inconclusive than was allowed, and at least one record was compared. */
  readonly isWithin: boolean;
  /** The share that was allowed, from 0 to 1. */
  readonly allowed: number;
  /** The share of the estimated calls that changed or failed, of those that could be compared; 0 where none could. */
  readonly share: number;
  /** The share that was allowed to be inconclusive, from 0 to 1. */
  readonly allowedInconclusive: number;
  /** The share of the estimated calls that are inconclusive, of those that are or were compared. Erased calls are left out. */
  readonly inconclusiveShare: number;
  /** Records that were read, shadows included. */
  readonly records: number;
  /** Lines that aren't records. They count nowhere else. */
  readonly unreadable: Unreadable;
  /** Instants of the oldest and the newest one. Absent without records. */
  readonly from?: string;
  readonly to?: string;
  readonly counts: Tally;
  /** How many calls the records stand for: each counts 1 / `sampleRate`. */
  readonly estimated: Tally;
  /** Records with a control run. */
  readonly controlled: number;
  /** Why records are not reproducible, inconclusive, failed or skipped; the most frequent reasons first. */
  readonly reasons: readonly Reason[];
  /** By id, in the order of the candidate's. */
  readonly decisions: readonly DecisionComparison[];
  /**
   * What the candidate's default would return for calls for which the path or `select` chose a different version.
   * Nothing of it counts above. By id, of those that have such calls.
   */
  readonly defaults: readonly DecisionComparison[];
  /** What shadows recorded, each compared with the call alongside which it was evaluated. Nothing of it counts above. */
  readonly shadows: readonly ShadowComparison[];
}

export interface Unreadable {
  readonly count: number;
  /** The first ones, at most ten. */
  readonly first: readonly UnreadableRecord[];
}

export interface Reason {
  readonly verdict: Exclude<Verdict, "unchanged" | "changed">;
  readonly decisionId: string;
  readonly reason: string;
  readonly records: number;
}

/** What became of the calls of one decision. */
export interface Comparison {
  readonly decisionId: string;
  /** The recorded versions with their number of records, the most frequent first. */
  readonly before: readonly VersionCount[];
  /** The versions that were compared with them. */
  readonly after: readonly VersionCount[];
  readonly counts: Tally;
  readonly estimated: Tally;
  /** Unchanged results with a different explanation. */
  readonly explainedDifferently: number;
  /** From which outcome to which; the most frequent first. */
  readonly matrix: readonly MatrixCell[];
  /** Every number of the output that differs somewhere. */
  readonly numbers: readonly NumberShift[];
  /** Absent without a label pointer. */
  readonly labels?: LabelTables;
}

export type DecisionComparison = Comparison;

/** What a shadow returned alongside a decision. `counts` are of the pairs that were found. */
export interface ShadowComparison extends Comparison {
  /** Records of a shadow that name no call, because it was not recorded, or one that was not found. */
  readonly unpaired: number;
}

export interface VersionCount {
  readonly version: string;
  /** Only of a decision of `logic`: what it was made from. */
  readonly contentHash?: string;
  readonly records: number;
}

/** Records that went from one outcome to another, or kept theirs. */
export interface MatrixCell {
  /** Such as `OK/prime-rate`, `NO_MATCH`, `INVALID_INPUT` and `ERROR/EVALUATION_FAILED`. */
  readonly from: string;
  readonly to: string;
  readonly unchanged: number;
  /** In a cell whose ends are the same: another output. */
  readonly changed: number;
  readonly estimatedUnchanged: number;
  readonly estimatedChanged: number;
  /** The smallest changed ones. */
  readonly examples: readonly ReplayExample[];
}

/** One record that changed. */
export interface ReplayExample {
  readonly recordId: string;
  readonly requestId: string;
  readonly recordedAt: string;
  readonly caller?: string;
  /** As recorded: without what was masked. */
  readonly input: unknown;
  readonly masked: readonly string[];
  readonly before: CallOutcome;
  readonly after: CallOutcome;
}

/** What a caller gets to see. */
export interface CallOutcome {
  /** As in {@link MatrixCell}. */
  readonly outcome: string;
  readonly version: string;
  readonly data?: unknown;
  readonly explanation?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** How one number of an output moved, over the records where both sides have it. */
export interface NumberShift {
  /** JSON Pointer into `data`; `*` stands for the index in a list. */
  readonly pointer: string;
  /** Where it differs. */
  readonly count: number;
  readonly higher: number;
  readonly lower: number;
  /** Means over all records where both sides have it, weighted by what they stand for. */
  readonly meanBefore: number;
  readonly meanAfter: number;
  /** Of the differences, after minus before, where there is one; weighted, and within 1 % of the exact ones. */
  readonly quantiles: { readonly [Name in "min" | "p05" | "p25" | "p50" | "p75" | "p95" | "max"]: number };
}

/** Outcomes by label, which is the known truth. */
export interface LabelTables {
  readonly label: string;
  readonly prediction: string;
  readonly rows: readonly LabelRow[];
  /** The share of records whose prediction is the label. Absent where no prediction is any label. */
  readonly agreementBefore?: number;
  readonly agreementAfter?: number;
}

/** Records of one label and one prediction. */
export interface LabelRow {
  /** JSON text. `undefined`, the word, where a record has none. */
  readonly label: string;
  readonly prediction: string;
  readonly before: number;
  readonly after: number;
}
