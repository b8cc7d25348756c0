import { type Decision, program } from "../definition/decision.js";
import type { Probed } from "../program/probed.js";
import { RuleScope } from "../program/rule-scope.js";
import type { EarlierCall } from "./reevaluate.js";

/**
 * Tries every rule of a decision with one input, not only those up to the first match.
 *
 * @returns each rule in order, or the envelope of what is refused
 * @throws DecernError `EVALUATION_FAILED` when a schema fails
 */
export function probe(
  decision: Decision,
  { input, profile, profiles, epochMs, requestId, caller }: EarlierCall,
): Probed {
  const { id, uses } = decision;
  const given = profile === undefined ? profiles?.profileOf(decision) : profile;
  const scope = new RuleScope({ id, uses, caller, profiles }, epochMs, requestId);
  return decision[program].probe(input, given, scope);
}
