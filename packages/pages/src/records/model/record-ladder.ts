import type { DecisionRecord } from "@decern/core";
import { evaluatedRungs, type RuleState, type Rung, rungsOf } from "../../model/reply.js";
import type { RecordedCall } from "./recorded-call.js";

/**
 * The rules of a record in order, and how far the evaluation got.
 *
 * @param ruleIds - of the recorded version; `null` where it is not served any more
 */
export function recordLadder(
  { status, matchedRule }: Pick<DecisionRecord, "status" | "matchedRule">,
  call: RecordedCall | undefined,
  ruleIds: readonly string[] | null,
): readonly Rung[] {
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
  // A fault may come from any rule, or from none.
  return status === "ERROR" ? "pending" : "unreached";
}

function rung(id: string, state: RuleState): Rung {
  return { id, state, explanation: undefined };
}
