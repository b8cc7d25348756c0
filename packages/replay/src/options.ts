import type {
  Awaitable,
  Decision,
  DecisionLog,
  DecisionRecord,
  ProfilesOf,
  RecordQuery,
  VersionsOf,
} from "@decern/core";
import {
  type Checked,
  checkedOptions,
  type Kind,
  kinds,
  type OptionsOf,
  option,
  type RowsOf,
  requiredOption,
} from "@decern/core/options";
import type { CallOutcome, Verdict } from "./report/replay-report.js";

/** Where records are read from: a decision log, or anything else that has records and their profiles. */
export type ReplaySource = Pick<DecisionLog, "find" | "profile"> & Partial<Pick<DecisionLog, "content">>;

/** What records are evaluated with: the same options as a host has. */
export interface Candidate<Decisions extends readonly Decision[] = readonly Decision[]> {
  readonly decisions: Decisions;
  /** @default each decision's own */
  readonly profiles?: ProfilesOf<NoInfer<Decisions>> | undefined;
  /** Required for an id that has several versions. */
  readonly versions?: VersionsOf<NoInfer<Decisions>> | undefined;
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

const pointer = kinds.matching(
  /^(?:\/(?:[^~/]|~[01])*)+$/,
  'must be a JSON Pointer, such as "/input/wasFraud"',
);

const listed = kinds.listOf(kinds.anything<Decision>());

const baselineKind: Kind<readonly Decision[] | "log"> = (value, path) =>
  value === "log" ? [] : listed(value, path);

const rows = {
  /** Selects records, like the log's `find`. @default all */
  query: option(kinds.object<RecordQuery>()),
  /**
   * The decisions that made the records.
   *
   * For the control run, such as those of the main branch. A version that is not among them gets no control run. `"log"` takes each
   * table that made records out of the log.
   * @default the candidate's decisions
   */
  baseline: option(baselineKind),
  /**
   * The share of results that may change or fail.
   *
   * From 0 to 1.
   * @default 0
   */
  allow: option(kinds.share, 0),
  /**
   * The share that may be inconclusive; erased records don't count.
   *
   * From 0 to 1.
   * @default 0
   */
  maxInconclusive: option(kinds.share, 0),
  /** JSON Pointer to the true value, such as `/input/wasFraud`. @default none */
  label: option(pointer),
  /** JSON Pointer into the result to the predicted value. @default status and rule */
  prediction: option(pointer),
  /**
   * Examples for each pair of results.
   *
   * The smallest ones, up to 1000.
   * @default 3
   */
  examples: option(
    kinds.that<number>(
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1000,
      "must be a whole number from 0 to 1000",
    ),
    3,
  ),
  /**
   * Called for every record that is not unchanged.
   *
   * In order, and awaited.
   * @default none
   */
  onDifference: option(kinds.callback<(difference: ReplayDifference) => Awaitable<void>>()),
  /** Called with the number of records read. @default none */
  onProgress: option(kinds.callback<(records: number) => void>()),
  /**
   * Ends the replay.
   *
   * It rejects with the signal's reason.
   * @default none
   */
  signal: option(kinds.that<AbortSignal>((value) => value instanceof AbortSignal, "must be an AbortSignal")),
};

export type ReplaySettings = Checked<typeof rows>;

/** Options of `replay`. */
export interface ReplayOptions extends OptionsOf<typeof rows> {}

const candidateRows = {
  decisions: requiredOption(kinds.listOf(kinds.anything<Decision>())),
  profiles: option(kinds.object<ProfilesOf<readonly Decision[]>>()),
  versions: option(kinds.object<VersionsOf<readonly Decision[]>>()),
} satisfies RowsOf<Candidate>;

const sourceRows = { source: requiredOption(kinds.withMethods<ReplaySource>("find", "profile")) };

/**
 * `createGeneration` checks what is inside a candidate.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkReplay(source: ReplaySource, candidate: object, options: object): ReplaySettings {
  checkedOptions("replay: records", { source }, sourceRows);
  checkedOptions("replay: candidate", candidate, candidateRows);
  return checkedOptions("replay: options", options, rows);
}
