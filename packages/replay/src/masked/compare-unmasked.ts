import type { DecisionRecord, RecordPayload } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameJson, type Outcome } from "@decern/core/tools";
import { copyJson } from "../json/copy-json.js";
import { removeAt } from "../json/json-pointer.js";
import { differenceBetween, type Match } from "../verdict/compare.js";
import { dataOf, type Ending, explanationOf, recordedEnding } from "../verdict/ending.js";
import type { MaskedPlaces } from "./masked-places.js";

/** What a control run answers otherwise than the record, where nothing is masked. */
export function differenceOutside(
  { resultPlaces, errorPlaces }: MaskedPlaces,
  {
    outcome,
    ending,
    isExplained,
  }: { readonly outcome: Outcome; readonly ending: Ending; readonly isExplained: boolean },
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
export function compareOutside(
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
export function withoutExplanations(envelope: unknown): unknown {
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

/** A copy without what is masked; `undefined` where that is all of it. */
function without(json: unknown, places: readonly (readonly string[])[]): unknown {
  if (places.length === 0 || json === undefined) return json;
  if (places.some((tokens) => tokens.length === 0)) return undefined;
  const copy = copyJson(json);
  for (const tokens of places) removeAt(copy, tokens);
  return copy;
}
