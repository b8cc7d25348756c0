import type { DecernError, Decision, DecisionRecord, RecordPayload } from "@decern/core";
import type { Verdict } from "../report/replay-report.js";
import {
  compare,
  compareWithRecord,
  differenceFromRecord,
  type Ending,
  type Evaluation,
  evaluate,
  type Match,
  recordedEnding,
} from "./evaluation.js";
import { MaskedRuns } from "./masked-runs.js";
import { type MaskedPlaces, readPlaces } from "./masks.js";
import type { Plan, Revision } from "./revision.js";
import type { CandidateVersion, Revisions } from "./revisions.js";

/** The judgement of one record. */
export interface Judgement {
  readonly verdict: Verdict;
  /** For everything but `unchanged` and `changed`. */
  readonly reason: string | undefined;
  /** Whether an evaluation on the recorded revision was compared with the record. */
  readonly isControlled: boolean;
  /** Absent where there was nothing to compare. */
  readonly before: Ending | undefined;
  /** Of an unchanged record it has the same output as `before`. */
  readonly after: Ending | undefined;
  readonly isExplainedDifferently: boolean;
}

/** The judgement of a record that can't be compared. */
export function withoutComparison(
  verdict: "skipped" | "inconclusive" | "notReproducible",
  reason: string,
  isControlled = false,
): Judgement {
  const nothing = { before: undefined, after: undefined, isExplainedDifferently: false };
  return { verdict, reason, isControlled, ...nothing };
}

/** Whether a payload was erased. One that was never written is masked as a whole. */
export function isErased({ payload, masked }: DecisionRecord): boolean {
  return payload === null && !masked.includes("");
}

const notInCandidate = withoutComparison("skipped", "the candidate does not have this decision");

/** Most lists of pointers that are remembered. */
const maxPlaces = 1000;

/** Evaluates records on both revisions, and compares. */
export class Judge {
  readonly #revisions: Revisions;
  /** With a baseline, even an unchanged decision must reproduce its records. The log has the programs of `logic` only. */
  readonly #baseline: readonly Decision[] | "log" | undefined;
  readonly #masked = new MaskedRuns();
  /** By the pointers: most records of a decision have the same. */
  readonly #places = new Map<string, MaskedPlaces>();

  constructor(revisions: Revisions, baseline: readonly Decision[] | "log" | undefined) {
    this.#revisions = revisions;
    this.#baseline = baseline;
  }

  /**
   * @param written - its profiles must be loaded
   * @param version - the version to compare with; `undefined` if the candidate lacks the decision
   */
  judge(written: DecisionRecord, version: CandidateVersion | undefined): Judgement {
    if (version === undefined) return notInCandidate;
    const record = this.#revisions.complete(written);
    const { payload } = record;
    if (payload === null) return inconclusive(reasonWithoutPayload(record));
    const places = record.masked.length === 0 ? undefined : this.#placesOf(record.masked);
    const obstacle = endedBefore(record, payload) ?? (places && lacking(places));
    if (obstacle !== undefined) return obstacle;
    const plan = this.#revisions.plan(record, payload, version);
    if (plan.control === "lost") return inconclusive("the records do not have its profile");
    if (places?.input !== undefined) {
      const reason = this.#masked.obstacle(plan);
      if (reason !== undefined) return inconclusive(reason);
      if (record.status === "INVALID_INPUT") {
        const ending = recordedEnding(record);
        return unchanged(ending, version.decision, { isControlled: false, match: "same" });
      }
    }
    return this.#compare(plan, plan.control, record, payload, places);
  }

  #placesOf(masked: readonly string[]): MaskedPlaces {
    const key = masked.join("\n");
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const places = readPlaces(masked);
    if (this.#places.size === maxPlaces) this.#places.clear();
    this.#places.set(key, places);
    return places;
  }

  #mustReproduce({ contentHash }: DecisionRecord): boolean {
    return this.#baseline === "log" ? contentHash !== undefined : this.#baseline !== undefined;
  }

  #compare(
    { candidate }: Plan,
    control: Revision | undefined,
    record: DecisionRecord,
    payload: RecordPayload,
    places: MaskedPlaces | undefined,
  ): Judgement {
    const run = (revision: Revision): Evaluation | string =>
      places?.input === undefined
        ? evaluate(revision, record, payload.input)
        : this.#masked.run(revision, record, payload.input, places.input);
    const isShared = control === candidate;
    const before =
      control === undefined || (isShared && !this.#mustReproduce(record)) ? undefined : run(control);
    if (typeof before === "string") return inconclusive(before);
    const difference = before && differenceFromRecord(before, record, payload, places);
    if (difference !== undefined) return withoutComparison("notReproducible", difference, true);
    const after = before !== undefined && isShared ? before : run(candidate);
    if (typeof after === "string") return inconclusive(after);
    // The control run has the masked values.
    const known = places && before;
    const match =
      known === undefined ? compareWithRecord(after, record, payload, places) : compare(known, after);
    if (match === "unknown") return inconclusive("its output was masked");
    const isControlled = before !== undefined || (isShared && match !== "different");
    const ending = known?.ending ?? recordedEnding(record);
    return match === "different"
      ? changed(ending, after.ending, after.ended.error, isControlled)
      : unchanged(ending, candidate.decision, { isControlled, match });
  }
}

function inconclusive(reason: string): Judgement {
  return withoutComparison("inconclusive", reason);
}

function reasonWithoutPayload(record: DecisionRecord): string {
  return isErased(record) ? "its payload was erased" : "it was written without its payload";
}

/** A call that ended before or after its rules, for reasons that are not in its record. */
function endedBefore({ status }: DecisionRecord, { error }: RecordPayload): Judgement | undefined {
  if (status !== "ERROR" || error?.code === "EVALUATION_FAILED") return undefined;
  if (error === undefined) return inconclusive("its error was masked");
  return withoutComparison("notReproducible", `the call ended with ${error.code}, which no rule decides`);
}

/** What no evaluation can do without. */
function lacking({ hasMaskedProfile, hasMaskedUse, input }: MaskedPlaces): Judgement | undefined {
  if (hasMaskedProfile) return inconclusive("its profile was masked");
  if (hasMaskedUse) return inconclusive("what it used was masked");
  return input?.isMasked === true ? inconclusive("its input was masked") : undefined;
}

function unchanged(
  before: Ending,
  { version, contentHash }: Pick<Decision, "version" | "contentHash">,
  { isControlled, match }: { readonly isControlled: boolean; readonly match: Match },
): Judgement {
  const isSame = before.version === version && before.contentHash === contentHash;
  const after = isSame ? before : { ...before, version, contentHash };
  const isExplainedDifferently = match === "explained";
  return { verdict: "unchanged", reason: undefined, isControlled, before, after, isExplainedDifferently };
}

/** A record for which the candidate returns something else. */
function changed(
  before: Ending,
  after: Ending,
  thrown: DecernError | undefined,
  isControlled: boolean,
): Judgement {
  const failed = after.error !== undefined && before.error === undefined;
  const reason = failed ? described(thrown) : undefined;
  const verdict = failed ? "failed" : "changed";
  return { verdict, reason, isControlled, before, after, isExplainedDifferently: false };
}

/** Longer messages have parts of many values in them, and reasons are counted. */
const longestReason = 200;

function described(thrown: DecernError | undefined): string {
  const [line = ""] = (thrown?.message ?? "the output has no JSON form").split("\n", 1);
  return line.slice(0, longestReason);
}
