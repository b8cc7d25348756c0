import type { DecernError, Decision, DecisionRecord, RecordPayload } from "@decern/core";
import {
  equalsJson,
  isSameJson,
  isSameOutcome,
  type Outcome,
  outcomeOf,
  type Reevaluated,
  reevaluate,
} from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { copyJson } from "../json.js";
import type { PlannedRun } from "../revision/planner.js";
import { type Ending, explanationOf, type Judgement, recordedEnding } from "./judgement.js";

/** Evaluates a recorded call. Rules may write to their input, so they get one of their own. */
export function evaluate(
  { decision, profile, profiles }: PlannedRun,
  { recordedAt, requestId, caller }: DecisionRecord,
  { input }: RecordPayload,
): Reevaluated<unknown> {
  const epochMs = Date.parse(recordedAt);
  return reevaluate(decision, { input: copyJson(input), profile, profiles, epochMs, requestId, caller });
}

/** How an evaluation compares with what is on record. `explained`: the same outcome for other reasons. */
export type Match = "same" | "explained" | "different";

export function compareWithRecord(
  decision: Decision,
  ended: Reevaluated<unknown>,
  record: DecisionRecord,
  { result: recorded, error }: RecordPayload,
): Match {
  const { result } = ended;
  if (result !== undefined && result.status === record.status && isJsonObject(recorded)) {
    if (result.status !== "OK") return isExplainedBy(result, recorded) ? "same" : "explained";
    if (result.meta.matchedRule !== record.matchedRule) return "different";
    const isSame = equalsJson(result.data, recorded["data"]);
    if (isSame === false) return "different";
    if (isSame) return isExplainedBy(result, recorded) ? "same" : "explained";
  }
  const outcome = outcomeOf(decision, ended);
  const onRecord = { envelope: recorded, error };
  if (!isSameOutcome(outcome, onRecord)) return "different";
  return explanationOf(outcome) === explanationOf(onRecord) ? "same" : "explained";
}

/** What differs between a control run and the record; `undefined` where it came out byte for byte. */
export function differenceFromRecord(
  decision: Decision,
  ended: Reevaluated<unknown>,
  { result: recorded, error }: RecordPayload,
): string | undefined {
  if (ended.result !== undefined && equalsJson(ended.result, recorded) === true) return undefined;
  const outcome = outcomeOf(decision, ended);
  if (isSameJson(outcome.envelope, recorded) && isSameJson(outcome.error, error)) return undefined;
  return differenceBetween(outcome, { envelope: recorded, error });
}

/** Says how two outcomes differ that are not the same JSON. */
export function differenceBetween(control: Outcome, recorded: Outcome): string {
  if (control.error !== undefined && recorded.error === undefined) return "the control run failed";
  return isSameOutcome(control, recorded)
    ? "the control run explained itself differently"
    : "the control run came to another outcome";
}

export function unchanged(
  record: DecisionRecord,
  version: string,
  isControlled: boolean,
  isExplainedDifferently: boolean,
  before = recordedEnding(record),
): Judgement {
  const after = before.version === version ? before : { ...before, version };
  return { verdict: "unchanged", reason: undefined, isControlled, before, after, isExplainedDifferently };
}

/** A record that the candidate answers otherwise. */
export function changed(
  before: Ending,
  after: Ending,
  fault: DecernError | undefined,
  isControlled: boolean,
): Judgement {
  const failed = after.error !== undefined && before.error === undefined;
  return {
    verdict: failed ? "failed" : "changed",
    reason: failed ? described(fault) : undefined,
    isControlled,
    before,
    after,
    isExplainedDifferently: false,
  };
}

/** Longer ones have parts of many values in them, and reasons are counted. */
const longestFault = 200;

function described(fault: DecernError | undefined): string {
  const [line = ""] = (fault?.message ?? "the output has no JSON form").split("\n", 1);
  return line.slice(0, longestFault);
}

function isExplainedBy(
  result: NonNullable<Reevaluated<unknown>["result"]>,
  recorded: Readonly<Record<string, unknown>>,
): boolean {
  if (result.status !== "OK") return result.message === recorded["message"];
  const meta = recorded["meta"];
  return isJsonObject(meta) && result.meta.explanation === meta["explanation"];
}
