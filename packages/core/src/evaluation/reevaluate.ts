import { type Decision, type ProfileLookup, program, type UsedEvaluation } from "../definition/decision.js";
import type { DecernError } from "../errors.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { toFault } from "./fault.js";

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

/** What came of an earlier call this time. */
export type Reevaluated<Output> = {
  /** The one that was evaluated with. */
  readonly profile: unknown;
  readonly used: readonly UsedEvaluation[];
} & (
  | { readonly result: Result<Output>; readonly error: undefined }
  | { readonly result: undefined; readonly error: DecernError }
);

/**
 * Evaluates an earlier call, at its own instant and with its own request id. No hook runs, and nothing is counted or recorded.
 * It never throws.
 */
export function reevaluate<Output>(
  decision: Decision<unknown, Output>,
  { input, profile, profiles, epochMs, requestId, caller }: EarlierCall,
): Reevaluated<Output> {
  const { id, uses } = decision;
  const given = profile === undefined ? profiles?.profileOf(decision) : profile;
  const scope = new RuleScope({ id, uses, caller, profiles }, epochMs, requestId);
  const compiled = decision[program];
  const own = given === undefined ? compiled.boundProfile : given;
  try {
    const result = compiled.refuseNesting(input, given, scope) ?? compiled.evaluate(input, given, scope);
    return { result, error: undefined, profile: own, used: scope.used };
  } catch (thrown) {
    const error = toFault(thrown, `decision "${id}"`);
    return { result: undefined, error, profile: own, used: scope.used };
  }
}
