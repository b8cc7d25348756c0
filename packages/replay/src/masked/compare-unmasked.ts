import type { DecisionRecord, RecordPayload } from "@decern/core";
import { isSameJson, type Outcome } from "@decern/core/host";
import { copyJson } from "../json/copy-json.js";
import { removeAt } from "../json/json-pointer.js";
import { differenceBetween, type Match } from "../verdict/compare.js";
import { dataOf, type Ending, explanationOf, recordedEnding } from "../verdict/ending.js";
import type { MaskedPlaces } from "./masked-places.js";

/** What a control run answers otherwise than the record, where nothing is masked. */
export function differenceOutside(
  { resultPlaces, errorPlaces }: MaskedPlaces,
  { outcome, ending }: { readonly outcome: Outcome; readonly ending: Ending },
  record: DecisionRecord,
  { result, error }: RecordPayload,
): string | undefined {
  const envelope = without(outcome.envelope, resultPlaces);
  const told = without(outcome.error, errorPlaces);
  if (!isSameJson(envelope, result) || !isSameJson(told, error))
    return differenceBetween({ envelope, error: outcome.error }, { envelope: result, error });
  // Where the whole envelope is masked, the record still says this much.
  return ending.outcome === recordedEnding(record).outcome
    ? undefined
    : "the control run came to another outcome";
}

/** How an evaluation compares with a record; `unknown` where that is masked. */
export function compareOutside(
  { resultPlaces, hasMaskedData, hasMaskedExplanation }: MaskedPlaces,
  after: Ending,
  record: DecisionRecord,
): Match | "unknown" {
  const before = recordedEnding(record);
  if (before.outcome !== after.outcome) return "different";
  const unmasked = { envelope: without(after.envelope, resultPlaces) };
  if (record.status === "OK") {
    if (!isSameJson(dataOf(unmasked), dataOf(before))) return "different";
    if (hasMaskedData) return "unknown";
  }
  if (hasMaskedExplanation) return "same";
  return explanationOf(after) === explanationOf(before) ? "same" : "explained";
}

/** A copy without what is masked; `undefined` where that is all of it. */
function without(json: unknown, places: readonly (readonly string[])[]): unknown {
  if (places.length === 0 || json === undefined) return json;
  if (places.some((tokens) => tokens.length === 0)) return undefined;
  const copy = copyJson(json);
  for (const tokens of places) removeAt(copy, tokens);
  return copy;
}
