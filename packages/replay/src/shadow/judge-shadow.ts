import type { DecisionRecord, RecordStatus } from "@decern/core";
import { isJsonObject } from "@decern/core/schema";
import { isSameOutcome } from "@decern/core/tools";
import { weightOf } from "../report/weights.js";
import { type Ending, explanationOf, recordedEnding } from "../verdict/ending.js";
import { type Judgement, withoutComparison } from "../verdict/judgement.js";

/** What is kept of a call until the record of its shadow comes. */
export interface ShadowedCall {
  readonly ending: Ending;
  readonly status: RecordStatus;
  readonly weight: number;
  readonly isLacking: boolean;
}

/** Takes of a call what its shadow is compared with. */
export function shadowedCall(record: DecisionRecord): ShadowedCall {
  const ending = recordedEnding(record);
  return {
    ending: { ...ending, envelope: withoutTrace(ending.envelope) },
    status: record.status,
    weight: weightOf(record),
    isLacking: isLacking(record),
  };
}

/** An envelope without its list of rules, which is most of it. */
function withoutTrace(envelope: unknown): unknown {
  if (!isJsonObject(envelope) || !isJsonObject(envelope["meta"])) return envelope;
  const { status, data, message, meta } = envelope;
  return {
    status,
    data,
    message,
    meta: { matchedRule: meta["matchedRule"], explanation: meta["explanation"] },
  };
}

/** Compares a shadow with the call beside which it was evaluated. */
export function judgeShadow(call: ShadowedCall, shadow: DecisionRecord): Judgement {
  const before = call.ending;
  const after = recordedEnding(shadow);
  const found = { isControlled: false, before, after, isExplainedDifferently: false };
  // Masks of both cover the same places, but what they hid may differ.
  const isUnknown = call.isLacking || isLacking(shadow);
  if (isUnknown && shadow.status === call.status && ["OK", "ERROR"].includes(shadow.status)) {
    if (shadow.status === "ERROR" || before.outcome === after.outcome)
      return withoutComparison("inconclusive", "its outcome was masked or erased");
  }
  if (shadow.status === "ERROR" && call.status !== "ERROR")
    return { ...found, verdict: "failed", reason: "the shadow failed" };
  if (before.outcome !== after.outcome || !isSameOutcome(before, after))
    return { ...found, verdict: "changed", reason: undefined };
  const isExplainedDifferently = explanationOf(before) !== explanationOf(after);
  return { ...found, verdict: "unchanged", reason: undefined, isExplainedDifferently };
}

/** Whether the record does not have the whole output. */
function isLacking({ masked, payload }: DecisionRecord): boolean {
  return (
    payload === null ||
    masked.some((pointer) => pointer === "" || pointer === "/result" || pointer.startsWith("/result/data"))
  );
}
