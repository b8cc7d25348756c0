import type { DecernError, Decision, DecisionRecord, RecordPayload } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import {
  equalsJson,
  evaluateCall,
  isSameJson,
  isSameOutcome,
  type Outcome,
  outcomeOf,
  type ToldOutcome,
} from "@decern/core/tools";
import type { CallOutcome, Verdict } from "../report/replay-report.js";
import type { PlannedRun } from "../revision/planner.js";
import { copyJson } from "./json.js";

/** What became of one record. */
export interface Judgement {
  readonly verdict: Verdict;
  /** For everything but `unchanged` and `changed`. */
  readonly reason: string | undefined;
  /** Whether an evaluation on the recorded revision was held against the record. */
  readonly isControlled: boolean;
  /** Absent where there was nothing to compare. */
  readonly before: Ending | undefined;
  /** Of an unchanged record it has the same output as `before`. */
  readonly after: Ending | undefined;
  readonly isExplainedDifferently: boolean;
}

/** Whether a payload was erased. One that was never written is masked as a whole. */
export function isErased({ payload, masked }: DecisionRecord): boolean {
  return payload === null && !masked.includes("");
}

/** A record that there is nothing to compare of. */
export function withoutComparison(
  verdict: "skipped" | "inconclusive" | "notReproducible",
  reason: string,
  isControlled = false,
): Judgement {
  return {
    verdict,
    reason,
    isControlled,
    before: undefined,
    after: undefined,
    isExplainedDifferently: false,
  };
}

/** A record that the control run does not confirm. */
export function notReproducible(difference: string): Judgement {
  return withoutComparison("notReproducible", difference, true);
}

/** How a call ended: as its record says, or as an evaluation did. */
export interface Ending extends ToldOutcome {
  /** Such as `OK/prime-rate`. */
  readonly outcome: string;
  readonly version: string;
}

/** The outcome of a call as its record has it. */
export function recordedEnding({ status, matchedRule, decision, payload }: DecisionRecord): Ending {
  const error = status === "ERROR" ? payload?.error : undefined;
  const outcome =
    status === "OK" ? okOutcome(matchedRule) : status === "ERROR" ? `ERROR/${error?.code ?? "?"}` : status;
  return { outcome, version: decision.version, envelope: payload?.result, error };
}

/** The outcome of an evaluation. */
export function evaluatedEnding(version: string, { envelope, error }: ToldOutcome): Ending {
  if (error !== undefined) return { outcome: `ERROR/${error.code}`, version, error };
  const { status, meta } = isJsonObject(envelope) ? envelope : {};
  const rule = isJsonObject(meta) ? meta["matchedRule"] : undefined;
  const outcome = status === "OK" ? okOutcome(typeof rule === "string" ? rule : undefined) : String(status);
  return { outcome, version, envelope };
}

export function dataOf({ envelope }: ToldOutcome): unknown {
  return isJsonObject(envelope) ? envelope["data"] : undefined;
}

/** What a caller sees of the reasons. */
export function explanationOf({ envelope }: ToldOutcome): string | undefined {
  if (!isJsonObject(envelope)) return undefined;
  const { meta, message } = envelope;
  const explanation = isJsonObject(meta) ? meta["explanation"] : undefined;
  if (typeof explanation === "string") return explanation;
  return typeof message === "string" ? message : undefined;
}

/** An ending as reports have it. */
export function toCallOutcome(ending: Ending): CallOutcome {
  const { outcome, version, error } = ending;
  const data = dataOf(ending);
  const explanation = explanationOf(ending);
  return {
    outcome,
    version,
    ...(data === undefined ? {} : { data }),
    ...(explanation === undefined ? {} : { explanation }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** Outcomes are the keys of every count, and a text that is put together each time makes a slow one: 100 ns, kept 30 ns. */
const okOutcomes = new Map<string, string>();

/** A decision has few rules. */
const maxKept = 10_000;

function okOutcome(rule: string | undefined): string {
  if (rule === undefined) return "OK";
  const known = okOutcomes.get(rule);
  if (known !== undefined) return known;
  const outcome = `OK/${rule}`;
  if (okOutcomes.size < maxKept) okOutcomes.set(rule, outcome);
  return outcome;
}

/** Evaluates a recorded call. Rules may write to their input, so they get one of their own. */
export function evaluate(
  { decision, profile, profiles }: PlannedRun,
  { recordedAt, requestId, caller }: DecisionRecord,
  { input }: RecordPayload,
): Outcome {
  const epochMs = Date.parse(recordedAt);
  const copied = copyJson(input);
  return evaluateCall({ decision, input: copied, profile, profiles, epochMs, requestId, caller });
}

/** How an evaluation compares with its record. `explained`: the same outcome for other reasons. */
export type Match = "same" | "explained" | "different";

export function compareWithRecord(
  decision: Decision,
  ended: Outcome,
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
  ended: Outcome,
  { result: recorded, error }: RecordPayload,
): string | undefined {
  if (ended.result !== undefined && equalsJson(ended.result, recorded) === true) return undefined;
  const outcome = outcomeOf(decision, ended);
  if (isSameJson(outcome.envelope, recorded) && isSameJson(outcome.error, error)) return undefined;
  return differenceBetween(outcome, { envelope: recorded, error });
}

/** Says how two outcomes differ that are not the same JSON. */
export function differenceBetween(control: ToldOutcome, recorded: ToldOutcome): string {
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

/** A record for which the candidate returns something else. */
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
  result: NonNullable<Outcome["result"]>,
  recorded: Readonly<Record<string, unknown>>,
): boolean {
  if (result.status !== "OK") return result.message === recorded["message"];
  const meta = recorded["meta"];
  return isJsonObject(meta) && result.meta.explanation === meta["explanation"];
}
