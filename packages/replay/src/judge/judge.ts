import type { DecisionRecord, RecordPayload } from "@decern/core";
import { outcomeOf } from "@decern/core/tools";
import type { ComparedVersion } from "../revision/candidate-versions.js";
import { NeededProfile, type Plan, type Planner } from "../revision/planner.js";
import {
  changed,
  compareWithRecord,
  differenceFromRecord,
  evaluate,
  evaluatedEnding,
  isErased,
  type Judgement,
  notReproducible,
  recordedEnding,
  unchanged,
  withoutComparison,
} from "./judgement.js";
import { MaskedJudge } from "./masked-judge.js";
import { type MaskedPlaces, MaskReader } from "./masked-places.js";

const notInCandidate = withoutComparison("skipped", "the candidate does not have this decision");

/** Evaluates records on both revisions, and compares. */
export class Judge {
  readonly #planner: Planner;
  /** Whether a baseline was given. Then even the candidate's own decision must return what was recorded, where it is in both. */
  readonly #hasBaseline: boolean;
  readonly #masks = new MaskReader();
  readonly #masked = new MaskedJudge();

  constructor(planner: Planner, hasBaseline: boolean) {
    this.#planner = planner;
    this.#hasBaseline = hasBaseline;
  }

  /**
   * @param compared - the version to compare with; `undefined` where the candidate does not have the decision
   * @returns a profile to be loaded first, where it needs one
   */
  judge(written: DecisionRecord, compared: ComparedVersion | undefined): Judgement | NeededProfile {
    if (compared === undefined) return notInCandidate;
    const record = this.#planner.complete(written);
    if (record instanceof NeededProfile) return record;
    const { payload } = record;
    if (payload === null) return withoutPayload(record);
    const places = record.masked.length === 0 ? undefined : this.#masks.read(record.masked);
    const refusal = endedBefore(record, payload) ?? lacking(places);
    if (refusal !== undefined) return refusal;
    const plan = this.#planner.plan(record, payload, compared);
    if (plan instanceof NeededProfile) return plan;
    if (plan.control === "lost") {
      return withoutComparison("inconclusive", "the records do not have its profile");
    }
    return places === undefined
      ? this.#compare(plan, record, payload)
      : this.#masked.judge(plan, record, payload, places, this.#hasBaseline);
  }

  #compare({ candidate, control }: Plan, record: DecisionRecord, payload: RecordPayload): Judgement {
    const { decision } = candidate;
    const isShared = control === "same";
    if (typeof control !== "string") {
      const controlled = evaluate(control, record, payload);
      const difference = differenceFromRecord(control.decision, controlled, payload);
      if (difference !== undefined) return notReproducible(difference);
    }
    const after = evaluate(candidate, record, payload);
    if (isShared && this.#hasBaseline) {
      const difference = differenceFromRecord(decision, after, payload);
      if (difference !== undefined) return notReproducible(difference);
    }
    const match = compareWithRecord(decision, after, record, payload);
    const isControlled = typeof control !== "string" || (isShared && match !== "different");
    return match === "different"
      ? changed(
          recordedEnding(record),
          evaluatedEnding(decision.version, outcomeOf(decision, after)),
          after.error,
          isControlled,
        )
      : unchanged(record, decision.version, isControlled, match === "explained");
  }
}

function withoutPayload(record: DecisionRecord): Judgement {
  const reason = isErased(record) ? "its payload was erased" : "it was written without its payload";
  return withoutComparison("inconclusive", reason);
}

/** A call that ended before or after its rules, for reasons that are not in its record. */
function endedBefore({ status }: DecisionRecord, { error }: RecordPayload): Judgement | undefined {
  if (status !== "ERROR" || error?.code === "EVALUATION_FAILED") return undefined;
  if (error === undefined) return withoutComparison("inconclusive", "its error was masked");
  return withoutComparison("notReproducible", `the call ended with ${error.code}, which no rule decides`);
}

/** What no evaluation can do without. */
function lacking(places: MaskedPlaces | undefined): Judgement | undefined {
  if (places === undefined) return undefined;
  if (places.hasMaskedProfile) return withoutComparison("inconclusive", "its profile was masked");
  if (places.hasMaskedUse) return withoutComparison("inconclusive", "what it used was masked");
  if (places.input?.isMasked === true) return withoutComparison("inconclusive", "its input was masked");
  return undefined;
}
