import { checkDecision } from "../definition/check-decision.js";
import { type Decision, program } from "../definition/decision.js";
import type { InputFor, ProfileFor } from "../definition/given.js";
import type { Result } from "../program/result.js";
import { RuleScope } from "../program/rule-scope.js";
import { checkEvaluateOptions } from "./check-evaluate-options.js";
import { systemClock } from "./clock.js";

/** The options of one evaluation. */
export interface EvaluateOptions {
  /** The instant of the evaluation. @default the machine's clock */
  readonly now?: Date | undefined;
  /** For rules that ask for it. @default a fresh UUID */
  readonly requestId?: string | undefined;
}

/**
 * Evaluates a decision, in process and synchronously.
 *
 * @param input - validated against the input schema; never mutated. TypeScript checks it too, unless its type is `unknown`:
 *   pass data from outside as `unknown`
 * @param profile - validated against the profile schema; left out, the one of {@link withProfile}, else `{}`
 * @returns the envelope: `OK`, `NO_MATCH`, `INVALID_INPUT` or `INVALID_PROFILE`
 * @throws DecernError `EVALUATION_FAILED` when a rule throws, its output breaks the output schema or is `undefined`, a
 *   function or a symbol, or a schema returns a promise; with the cause
 * @throws DecernError `INVALID_OPTIONS` when `decision` is not one, or an option is unknown or of the wrong kind
 */
export function evaluate<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
  decision: Decision<Input, Output, Profile, string, RuleId>,
  input: InputFor<NoInfer<Input>, GivenInput>,
  profile?: ProfileFor<NoInfer<Profile>, GivenProfile>,
  options?: EvaluateOptions,
): Result<Output, RuleId>;
// Apart from the signature above: a program does not tell the ids of its rules.
export function evaluate<Output>(
  decision: Decision<unknown, Output>,
  input: unknown,
  profile?: unknown,
  options?: EvaluateOptions,
): Result<Output> {
  checkDecision(decision);
  if (options === undefined) {
    return decision[program].evaluate(input, profile, new RuleScope(decision, systemClock.now()));
  }
  const { now, requestId } = checkEvaluateOptions("evaluate", options);
  return decision[program].evaluate(input, profile, new RuleScope(decision, now, requestId));
}
