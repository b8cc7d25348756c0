import { checkDecision } from "../definition/check-decision.js";
import { type Decision, program } from "../definition/decision.js";
import type { InputFor, ProfileFor } from "../definition/given.js";
import type { DecernError } from "../errors.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { checkEvaluateOptions } from "./check-evaluate-options.js";
import type { EvaluateOptions } from "./evaluate.js";
import { toFault } from "./fault.js";

/** The options of {@link evaluateMany}. */
export interface EvaluateManyOptions<Profile = unknown> extends EvaluateOptions {
  /** As `evaluate` takes it, for all inputs. @default that of `withProfile`, else `{}` */
  readonly profile?: Profile | undefined;
}

/**
 * Evaluates a decision for many inputs, in process and synchronously, all at the same instant.
 *
 * @param inputs - as `evaluate` takes them, from a list or anything else that can be iterated
 * @returns for each input, in order, what `evaluate` returns for it, or the `DecernError` that it throws: one bad input never
 *   fails the others
 * @throws DecernError `INVALID_OPTIONS` when `decision` is not one, or an option is unknown or of the wrong kind
 * @throws what iterating over `inputs` throws
 *
 * @example
 * ```ts
 * for (const item of evaluateMany(loanApproval, inputs, { profile })) {
 *   if (item instanceof DecernError) console.error(item.cause);
 *   else console.log(item.status);
 * }
 * ```
 */
export function evaluateMany<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
  decision: Decision<Input, Output, Profile, string, RuleId>,
  inputs: Iterable<InputFor<NoInfer<Input>, GivenInput>>,
  options?: EvaluateManyOptions<ProfileFor<NoInfer<Profile>, GivenProfile>>,
): readonly (Result<Output, RuleId> | DecernError)[];
// Apart from the signature above, as in `evaluate`.
export function evaluateMany<Output>(
  decision: Decision<unknown, Output>,
  inputs: Iterable<unknown>,
  options: EvaluateManyOptions = {},
): readonly (Result<Output> | DecernError)[] {
  checkDecision(decision);
  const { now, requestId } = checkEvaluateOptions("evaluateMany", options, ["profile"]);
  const { profile } = options;
  const compiled = decision[program];
  const results: (Result<Output> | DecernError)[] = [];
  for (const input of inputs) {
    try {
      results.push(compiled.evaluate(input, profile, new RuleScope(decision, now, requestId)));
    } catch (thrown) {
      results.push(toFault(thrown, `decision "${decision.id}"`));
    }
  }
  return results;
}
