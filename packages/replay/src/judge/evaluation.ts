import type { Decision, DecisionRecord, RecordPayload } from "@decern/core";
import { copyJson, isJsonObject } from "@decern/core/schema";
import { evaluateCall, isSameJson, isSameOutcome, outcomeOf } from "@decern/core/tools";
import type { CallOutcome } from "../report/replay-report.js";
import { type MaskedPlaces, without } from "./masks.js";
import type { Revision } from "./revision.js";

/** How a call ended: as its record says, or as an evaluation did. */
export interface Ending extends ReturnType<typeof outcomeOf> {
  /** Such as `OK/prime-rate`. */
  readonly outcome: string;
  readonly version: string;
  /** Only of a decision of `logic`. */
  readonly contentHash: string | undefined;
}

/** What decided, as reports name it. */
export type Decided = Pick<Ending, "version" | "contentHash">;

/** A recorded call that was evaluated again. */
export class Evaluation {
  readonly ended: ReturnType<typeof evaluateCall>;
  /** Whether it has its explanation, which alone may need a masked value. */
  readonly isExplained: boolean;
  readonly #decision: Decision;
  #ending: Ending | undefined;

  constructor(decision: Decision, ended: ReturnType<typeof evaluateCall>, isExplained = true) {
    this.#decision = decision;
    this.ended = ended;
    this.isExplained = isExplained;
  }

  /** Written when it is needed: most evaluations are compared without it. */
  get ending(): Ending {
    if (this.#ending === undefined) {
      const { envelope, error } = outcomeOf(this.#decision, this.ended);
      const told = { envelope: this.isExplained ? envelope : withoutExplanations(envelope), error };
      this.#ending = evaluatedEnding(this.#decision, told);
    }
    return this.#ending;
  }
}

/** Evaluates a recorded call. Rules may write to their input, so they get a copy. */
export function evaluate(
  { decision, profile, profiles }: Revision,
  { recordedAt, requestId, caller }: DecisionRecord,
  input: unknown,
  isExplained = true,
): Evaluation {
  const epochMs = epochOf(recordedAt);
  const copy = copyJson(input);
  const call = { decision, input: copy, profile, profiles, epochMs, requestId, caller };
  return new Evaluation(decision, evaluateCall(call), isExplained);
}

let lastInstant = "";
let lastEpochMs = Number.NaN;

/** Kept for the second evaluation of a record, and for records of the same millisecond: `Date.parse` takes 0.2 µs. */
function epochOf(instant: string): number {
  if (instant === lastInstant) return lastEpochMs;
  lastEpochMs = Date.parse(instant);
  lastInstant = instant;
  return lastEpochMs;
}

/** How a call ended as its record has it. */
export function recordedEnding(record: DecisionRecord): Ending {
  const { status, matchedRule, payload } = record;
  const error = status === "ERROR" ? payload?.error : undefined;
  const outcome = status === "ERROR" ? `ERROR/${error?.code ?? "?"}` : outcomeName(status, matchedRule);
  return { outcome, ...recordedBy(record), envelope: payload?.result, error };
}

/** What made a record. */
export function recordedBy({ decision, contentHash }: DecisionRecord): Decided {
  return { version: decision.version, contentHash };
}

function evaluatedEnding(
  { version, contentHash }: Pick<Decision, "version" | "contentHash">,
  { envelope, error }: ReturnType<typeof outcomeOf>,
): Ending {
  if (error !== undefined) return { outcome: `ERROR/${error.code}`, version, contentHash, error };
  const { status, meta } = isJsonObject(envelope) ? envelope : {};
  const outcome = outcomeName(String(status), isJsonObject(meta) ? meta["matchedRule"] : undefined);
  return { outcome, version, contentHash, envelope };
}

/** Outcomes are the keys of every count. Without the same text for each, `pnpm bench` replays parsed records a tenth more slowly. */
const okOutcomes = new Map<string, string>();

/** A decision has few rules. */
const maxKept = 10_000;

function outcomeName(status: string, rule: unknown): string {
  if (status !== "OK" || typeof rule !== "string") return status;
  const known = okOutcomes.get(rule);
  if (known !== undefined) return known;
  const outcome = `OK/${rule}`;
  if (okOutcomes.size < maxKept) okOutcomes.set(rule, outcome);
  return outcome;
}

export function dataOf({ envelope }: ReturnType<typeof outcomeOf>): unknown {
  return isJsonObject(envelope) ? envelope["data"] : undefined;
}

/** The reasons that a caller receives. */
export function explanationOf({ envelope }: ReturnType<typeof outcomeOf>): string | undefined {
  if (!isJsonObject(envelope)) return undefined;
  const { meta, message } = envelope;
  const explanation = isJsonObject(meta) ? meta["explanation"] : undefined;
  if (typeof explanation === "string") return explanation;
  return typeof message === "string" ? message : undefined;
}

/** An envelope without the explanations of rules. */
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

/** How two ends of a call compare. `explained`: the same outcome for other reasons; `unknown`: what may differ is masked. */
export type Match = "same" | "explained" | "different" | "unknown";

export function compare(before: Evaluation, after: Evaluation): Match {
  if (!isSameOutcome(before.ending, after.ending)) return "different";
  const areExplained = before.isExplained && after.isExplained;
  return areExplained && explanationOf(before.ending) !== explanationOf(after.ending) ? "explained" : "same";
}

export function compareWithRecord(
  after: Evaluation,
  record: DecisionRecord,
  payload: RecordPayload,
  places: MaskedPlaces | undefined,
): Match {
  const recorded = { envelope: payload.result };
  // Most outputs are compared without being written.
  const isSame = places === undefined ? isAsRecorded(after, record, recorded) : undefined;
  if (isSame === false) return "different";
  if (isSame === undefined) {
    if (after.ending.outcome !== recordedEnding(record).outcome) return "different";
    if (record.status === "OK") {
      const told = { envelope: without(after.ending.envelope, places?.result) };
      if (!isSameJson(dataOf(told), dataOf(recorded))) return "different";
      if (places?.hasMaskedData === true) return "unknown";
    }
  }
  if (!after.isExplained || places?.hasMaskedExplanation === true) return "same";
  const said = isSame === undefined ? after.ending : { envelope: after.ended.result };
  return explanationOf(said) === explanationOf(recorded) ? "same" : "explained";
}

/** @returns `undefined` if that shows only in the JSON of the result */
function isAsRecorded(
  { ended: { result } }: Evaluation,
  { status, matchedRule }: DecisionRecord,
  recorded: ReturnType<typeof outcomeOf>,
): boolean | undefined {
  if (result === undefined || result.status !== status) return undefined;
  if (result.status !== "OK") return true;
  return result.meta.matchedRule === matchedRule && isSameJson(result.data, dataOf(recorded));
}

/** How a control run differs from the record, masked places aside; `undefined` if it is the same byte for byte. */
export function differenceFromRecord(
  control: Evaluation,
  record: DecisionRecord,
  { result, error }: RecordPayload,
  places: MaskedPlaces | undefined,
): string | undefined {
  const { result: made } = control.ended;
  if (places === undefined && made !== undefined && isSameJson(made, result) === true) return undefined;
  const { ending, isExplained } = control;
  const recorded = { envelope: isExplained ? result : withoutExplanations(result), error };
  const envelope = without(ending.envelope, places?.result);
  if (!isSameJson(envelope, recorded.envelope) || !isSameJson(without(ending.error, places?.error), error)) {
    if (ending.error !== undefined && error === undefined) return "the control run failed";
    if (isSameOutcome({ envelope, error: ending.error }, recorded))
      return "the control run explained itself differently";
    return "the control run came to another outcome";
  }
  // Where the whole envelope is masked, the record still has the outcome.
  return ending.outcome === recordedEnding(record).outcome
    ? undefined
    : "the control run came to another outcome";
}
