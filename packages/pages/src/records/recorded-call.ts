import type { DecisionRecord } from "@decern/core";
import { isObject, type JsonObject, listOf, own, textOf } from "../json/values.js";
import { evaluatedRungs, type Reply, type RuleState, type Rung, rungsOf } from "../model/reply.js";
import { markRemoved, Removed, type Trace, type Used } from "../model/trace.js";

/** What the payload of a record says, with marks where something was removed. */
export interface RecordedCall {
  readonly input: unknown;
  /** Undefined where the host's profile was used. */
  readonly profile: unknown;
  /** Undefined after an error or a refusal. */
  readonly envelope: JsonObject | undefined;
  /** What the caller saw of an error or a refusal. */
  readonly error: JsonObject | undefined;
  /** The decisions that rules evaluated; undefined where there were none. */
  readonly trace: Trace | undefined;
}

/** @returns undefined where there is no payload */
export function recordedCall({ payload, masked }: DecisionRecord): RecordedCall | undefined {
  const marked = markRemoved(payload, masked, new Removed());
  if (!isObject(marked)) return undefined;
  return {
    input: own(marked, "input"),
    profile: own(marked, "profile"),
    envelope: objectIn(marked, "result"),
    error: objectIn(marked, "error"),
    trace: traceOf(listOf(marked, "used")),
  };
}

/** A record as the reply that its caller got, as far as it is known: without a payload, the rule at most. */
export function replyOf(record: DecisionRecord, call: RecordedCall | undefined): Reply {
  const { status, matchedRule, requestId, durationSeconds } = record;
  const rule = matchedRule === undefined ? {} : { meta: { matchedRule } };
  return {
    httpStatus: 200,
    requestId,
    milliseconds: durationSeconds * 1000,
    body: call?.envelope ?? { status, ...rule, ...call?.error },
    sent: { input: call?.input, profile: call?.profile },
  };
}

/** @param used - decisions as records have them */
export function traceOf(used: readonly unknown[] | undefined): Trace | undefined {
  const evaluations = usedIn(used);
  return evaluations.length === 0 ? undefined : { used: evaluations, truncated: false };
}

function usedIn(used: readonly unknown[] = []): readonly Used[] {
  return used.flatMap((entry): Used[] => {
    if (!isObject(entry) || entry instanceof Removed) return [];
    return [
      {
        id: textOf(entry, "id") ?? "",
        version: textOf(entry, "version") ?? "",
        profileHash: textOf(entry, "profileHash") ?? "",
        envelope: own(entry, "result"),
        used: usedIn(listOf(entry, "used")),
      },
    ];
  });
}

function objectIn(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) && !(value instanceof Removed) ? value : undefined;
}

/**
 * The rules of a record in order, and how far the evaluation got.
 *
 * @param allIds - ids of the rules of the recorded version; `null` where it is not served any more
 */
export function recordLadder(
  { status, matchedRule, contentHash }: Pick<DecisionRecord, "status" | "matchedRule" | "contentHash">,
  call: RecordedCall | undefined,
  allIds: readonly string[] | null,
): readonly Rung[] {
  // What is not an ordered list, such as a table, tells the rules that decided and no others.
  const ruleIds = contentHash === undefined ? allIds : null;
  if (call?.envelope !== undefined) {
    return ruleIds === null ? evaluatedRungs(call.envelope) : rungsOf(ruleIds, call.envelope, "unreached");
  }
  if (ruleIds === null) return matchedRule === undefined ? [] : [rung(matchedRule, "hit")];
  // Without a payload, what the rules did still follows: they run in order, and the first one that matches ends it.
  const matched = matchedRule === undefined ? -1 : ruleIds.indexOf(matchedRule);
  if (matched < 0) return ruleIds.map((id) => rung(id, stateWithoutMatch(status)));
  return ruleIds.map((id, index) =>
    rung(id, index < matched ? "miss" : index === matched ? "hit" : "unreached"),
  );
}

function stateWithoutMatch(status: DecisionRecord["status"]): RuleState {
  if (status === "NO_MATCH") return "miss";
  // An error may come from any rule, or from none.
  return status === "ERROR" ? "pending" : "unreached";
}

function rung(id: string, state: RuleState): Rung {
  return { id, state, explanation: undefined };
}
