import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "../definition/decision.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";

/** A call that was evaluated before. */
export interface EarlierCall {
  readonly input: unknown;
  /** `undefined` takes that of `profiles`, else the decision's default profile. */
  readonly profile?: unknown;
  /** For this decision and those that it uses. @default their own */
  readonly profiles?: ProfileLookup | undefined;
  readonly epochMs: number;
  readonly requestId: string;
  readonly caller?: string | undefined;
}

/**
 * Evaluates an earlier call, at its own instant and with its own request id. No hook runs, and nothing is counted or recorded.
 *
 * @throws DecernError on a fault
 */
export function reevaluate<Output>(
  decision: Decision<unknown, Output>,
  { input, profile, profiles, epochMs, requestId, caller }: EarlierCall,
): { readonly result: Result<Output>; readonly profile: unknown; readonly used: readonly UsedEvaluation[] } {
  const { id, uses } = decision;
  const own = profile === undefined ? profiles?.profileOf(decision) : profile;
  const scope = new RuleScope({ id, uses, caller, profiles }, epochMs, requestId);
  const compiled = decision[program];
  const result = compiled.refuseNesting(input, own, scope) ?? compiled.evaluate(input, own, scope);
  return { result, profile: own === undefined ? compiled.boundProfile : own, used: scope.used };
}
