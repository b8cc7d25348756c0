import type {
  Awaitable,
  Decision,
  DecisionLog,
  DecisionRecord,
  ProfilesOf,
  RecordQuery,
  VersionsOf,
} from "@decern/core";
import { checkOptions, type OptionKind, type OptionTable, optionKinds } from "@decern/core/tools";
import type { CallOutcome, Verdict } from "./report/replay-report.js";

/** Where records are read from: a decision log, or anything else that has records and their profiles. */
export type ReplaySource = Pick<DecisionLog, "find" | "profile">;

/** What records are evaluated with: the same options as a host has. */
export interface Candidate<Decisions extends readonly Decision[] = readonly Decision[]> {
  readonly decisions: Decisions;
  /** @default each decision's own */
  readonly profiles?: ProfilesOf<NoInfer<Decisions>> | undefined;
  /** Required for an id that has several versions. */
  readonly versions?: VersionsOf<NoInfer<Decisions>> | undefined;
}

/** Options of `replay`. */
export interface ReplayOptions {
  /** Which records. @default all */
  readonly query?: RecordQuery | undefined;
  /**
   * The decisions as they were when the records were made, for the control run, such as those of the main branch. A version that
   * is not among them gets no control run. @default those of the candidate
   */
  readonly baseline?: readonly Decision[] | undefined;
  /** The share of calls that may change or fail, from 0 to 1. @default 0 */
  readonly allow?: number | undefined;
  /**
   * The share of calls that may be inconclusive, from 0 to 1. Erased calls do not count: they can no longer be compared.
   *
   * @default 0
   */
  readonly maxInconclusive?: number | undefined;
  /** JSON Pointer into the payload to what is known to be true, such as `/input/wasFraud`. @default no label tables */
  readonly label?: string | undefined;
  /** JSON Pointer into the envelope to what is compared with labels, such as `/data/fraud`. @default status and rule */
  readonly prediction?: string | undefined;
  /** Most examples for each cell of a matrix: the smallest ones. @default 3 */
  readonly examples?: number | undefined;
  /** Called for every record that is not `unchanged`, in order, and waited for. */
  readonly onDifference?: ((difference: ReplayDifference) => Awaitable<void>) | undefined;
  /** Called now and then with the number of records that were read. */
  readonly onProgress?: ((records: number) => void) | undefined;
  /** Ends the replay: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One record that is not as it was. */
export interface ReplayDifference {
  readonly record: DecisionRecord;
  readonly verdict: Exclude<Verdict, "unchanged">;
  /** Absent for `skipped`, and where there was nothing to compare with. */
  readonly before?: CallOutcome;
  /** Absent for what was not evaluated. */
  readonly after?: CallOutcome;
  /** Why, for everything but `changed`. */
  readonly reason?: string;
}

const { anything, callback, listOf, object, withMethods } = optionKinds;

const share: OptionKind = (value, path) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? []
    : [{ path, message: "must be a number from 0 to 1" }];

const count: OptionKind = (value, path) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 1000
    ? []
    : [{ path, message: "must be a whole number from 0 to 1000" }];

const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/;

const pointer: OptionKind = (value, path) =>
  typeof value === "string" && pointerPattern.test(value)
    ? []
    : [{ path, message: 'must be a JSON Pointer, such as "/input/wasFraud"' }];

const signal: OptionKind = (value, path) =>
  value instanceof AbortSignal ? [] : [{ path, message: "must be an AbortSignal" }];

const kinds: OptionTable<ReplayOptions> = {
  query: object,
  baseline: listOf(anything),
  allow: share,
  maxInconclusive: share,
  label: pointer,
  prediction: pointer,
  examples: count,
  onDifference: callback,
  onProgress: callback,
  signal,
};

const candidateKinds: OptionTable<Candidate> = {
  decisions: listOf(anything),
  profiles: object,
  versions: object,
};

const sourceKind = withMethods("find", "profile");

/**
 * `createGeneration` checks what is inside a candidate.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkReplay(source: ReplaySource, candidate: unknown, options: unknown): void {
  const sources: OptionTable<{ readonly source: ReplaySource }> = { source: sourceKind };
  checkOptions("replay: records", { source }, { kinds: sources });
  checkOptions("replay: candidate", candidate, { kinds: candidateKinds, required: ["decisions"] });
  checkOptions("replay: options", options, { kinds });
}
