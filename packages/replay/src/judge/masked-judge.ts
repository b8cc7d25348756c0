import type { DecisionRecord, RecordPayload } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameJson, isSameOutcome, type Outcome, outcomeOf, type ToldOutcome } from "@decern/core/tools";
import type { Plan, PlannedRun } from "../revision/planner.js";
import { copyJson, removeAt } from "./json.js";
import {
  changed,
  dataOf,
  differenceBetween,
  type Ending,
  evaluate,
  evaluatedEnding,
  explanationOf,
  type Judgement,
  type Match,
  notReproducible,
  recordedEnding,
  unchanged,
  withoutComparison,
} from "./judgement.js";
import { haveSameInputSchema, MaskedInputs } from "./masked-input.js";
import type { MaskedPlaces, MaskNode } from "./masked-places.js";
import { type Watch, WatchedDecision } from "./masked-places.js";

/** How a control run differs from the record, apart from masked places. */
function differenceOutside(
  { resultPlaces, errorPlaces }: MaskedPlaces,
  {
    outcome,
    ending,
    isExplained,
  }: { readonly outcome: ToldOutcome; readonly ending: Ending; readonly isExplained: boolean },
  record: DecisionRecord,
  payload: RecordPayload,
): string | undefined {
  const { error } = payload;
  const result = isExplained ? payload.result : withoutExplanations(payload.result);
  const envelope = without(outcome.envelope, resultPlaces);
  const told = without(outcome.error, errorPlaces);
  if (!isSameJson(envelope, result) || !isSameJson(told, error))
    return differenceBetween({ envelope, error: outcome.error }, { envelope: result, error });
  // Where the whole envelope is masked, the record still says this much.
  return ending.outcome === recordedEnding(record).outcome
    ? undefined
    : "the control run came to another outcome";
}

/**
 * How an evaluation compares with a record; `unknown` where that is masked.
 *
 * @param isExplained - whether the explanation of the evaluation is known
 */
function compareOutside(
  { resultPlaces, hasMaskedData, hasMaskedExplanation }: MaskedPlaces,
  after: Ending,
  record: DecisionRecord,
  isExplained: boolean,
): Match | "unknown" {
  const before = recordedEnding(record);
  if (before.outcome !== after.outcome) return "different";
  const unmasked = { envelope: without(after.envelope, resultPlaces) };
  if (record.status === "OK") {
    if (!isSameJson(dataOf(unmasked), dataOf(before))) return "different";
    if (hasMaskedData) return "unknown";
  }
  if (hasMaskedExplanation || !isExplained) return "same";
  return explanationOf(after) === explanationOf(before) ? "same" : "explained";
}

/** An envelope without what rules say of their reasons. */
function withoutExplanations(envelope: unknown): unknown {
  if (!isJsonObject(envelope) || !isJsonObject(envelope["meta"])) return envelope;
  const { explanation: _explanation, evaluatedRules, ...meta } = envelope["meta"];
  const rules = Array.isArray(evaluatedRules) ? { evaluatedRules: evaluatedRules.map(withoutReason) } : {};
  return { ...envelope, meta: { ...meta, ...rules } };
}

function withoutReason(rule: unknown): unknown {
  if (!isJsonObject(rule)) return rule;
  const { explanation: _explanation, ...rest } = rule;
  return rest;
}

/** A copy without masked values; `undefined` if all of it is masked. */
function without(json: unknown, places: readonly (readonly string[])[]): unknown {
  if (places.length === 0 || json === undefined) return json;
  if (places.some((tokens) => tokens.length === 0)) return undefined;
  const copy = copyJson(json);
  for (const tokens of places) removeAt(copy, tokens);
  return copy;
}

/** An evaluation that does not depend on masked values. */
interface Trial {
  readonly ended: Outcome;
  readonly outcome: ToldOutcome;
  readonly ending: Ending;
  /** Whether its explanation is known: it may be the only part that needs a masked value. */
  readonly isExplained: boolean;
}

/** Judges masked records whose result does not depend on the masked values. */
export class MaskedJudge {
  readonly #inputs = new MaskedInputs();
  readonly #watched = new WeakMap<PlannedRun["decision"], WatchedDecision>();

  /** @param isHeld - whether the candidate must return what was recorded where it is the recorded revision */
  judge(
    { candidate, control, recorded }: Plan,
    record: DecisionRecord,
    payload: RecordPayload,
    places: MaskedPlaces,
    isHeld: boolean,
  ): Judgement {
    if (places.input !== undefined) {
      if (recorded === undefined) return inconclusive("whether its masked input is valid is not known");
      if (!haveSameInputSchema(recorded, candidate.decision))
        return inconclusive("its input was masked, and the candidate's input schema is different");
      if (record.status === "INVALID_INPUT")
        return unchanged(record, candidate.decision.version, false, false);
    }
    const run = typeof control !== "string" ? control : control === "same" && isHeld ? candidate : undefined;
    if (run === undefined) {
      const after = this.#try(candidate, record, payload, places);
      return "verdict" in after ? after : judgeAlone(after, record, places, control === "same");
    }
    const before = this.#try(run, record, payload, places);
    if ("verdict" in before) return before;
    const difference = differenceOutside(places, before, record, payload);
    if (difference !== undefined) return notReproducible(difference);
    if (run === candidate) return unchanged(record, candidate.decision.version, true, false, before.ending);
    const after = this.#try(candidate, record, payload, places);
    if ("verdict" in after) return after;
    // The control run shows the masked parts of the outcome.
    if (!isSameOutcome(before.outcome, after.outcome))
      return changed(before.ending, after.ending, after.ended.error, true);
    const isExplainedDifferently =
      before.isExplained && after.isExplained && explanationOf(before.ending) !== explanationOf(after.ending);
    return unchanged(record, candidate.decision.version, true, isExplainedDifferently, before.ending);
  }

  #try(
    run: PlannedRun,
    record: DecisionRecord,
    payload: RecordPayload,
    places: MaskedPlaces,
  ): Trial | Judgement {
    if (places.input === undefined) return trial(run, evaluate(run, record, payload));
    const given = this.#inputs.fill(run.decision, payload.input, places.inputPlaces);
    if (given === undefined) return inconclusive("nothing that stands for what was masked is valid");
    let watch = watching(places.input, given);
    let tried = this.#attempt(run, record, payload, watch, true);
    if (watch.touched !== undefined) {
      // Perhaps only an explanation looks at it, which decides nothing.
      watch = watching(places.input, given);
      tried = this.#attempt(run, record, payload, watch, false);
    }
    if (watch.touched !== undefined)
      return inconclusive(`a rule looks at ${watch.touched}, which was masked`);
    if (watch.isTransformed) return inconclusive("its input was masked, and the schema transforms it");
    if (tried.outcome.error !== undefined)
      return inconclusive("its input was masked, and its evaluation fails");
    return tried;
  }

  #attempt(
    run: PlannedRun,
    record: DecisionRecord,
    payload: RecordPayload,
    watch: Watch,
    isExplained: boolean,
  ): Trial {
    const watched = this.#watch(run.decision);
    const decision = isExplained ? watched.decision : watched.unexplained;
    const call = { ...payload, input: copyJson(watch.given) };
    const ended = watched.during(watch, () => evaluate({ ...run, decision }, record, call));
    // Writing an output may look at masked places too.
    return trial(run, ended, isExplained);
  }

  #watch(decision: PlannedRun["decision"]): WatchedDecision {
    const known = this.#watched.get(decision);
    if (known !== undefined) return known;
    const watched = new WatchedDecision(decision);
    this.#watched.set(decision, watched);
    return watched;
  }
}

/** Judges by what the record has alone. */
function judgeAlone(
  { ending, ended, isExplained }: Trial,
  record: DecisionRecord,
  places: MaskedPlaces,
  isRecordedRevision: boolean,
): Judgement {
  const match = compareOutside(places, ending, record, isExplained);
  if (match === "different") return changed(recordedEnding(record), ending, ended.error, false);
  if (match === "unknown") return inconclusive("its output was masked");
  return unchanged(record, ending.version, isRecordedRevision, match === "explained");
}

function trial({ decision }: PlannedRun, ended: Outcome, isExplained = true): Trial {
  const { envelope, error } = outcomeOf(decision, ended);
  const outcome = { envelope: isExplained ? envelope : withoutExplanations(envelope), error };
  return { ended, outcome, ending: evaluatedEnding(decision.version, outcome), isExplained };
}

function watching(mask: MaskNode, given: unknown): Watch {
  return { mask, given, touched: undefined, isTransformed: false };
}

function inconclusive(reason: string): Judgement {
  return withoutComparison("inconclusive", reason);
}
