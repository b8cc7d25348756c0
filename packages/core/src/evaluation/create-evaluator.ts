import { type Awaitable, isThenable } from "../awaitable.js";
import { checkDecision } from "../definition/check-decision.js";
import type { Decision } from "../definition/decision.js";
import type { InputFor, ProfileFor } from "../definition/given.js";
import { DecernError } from "../errors.js";
import { checkOptions } from "../options/check-options.js";
import type { Result } from "../program/result.js";
import { evaluatorOptionKinds } from "./evaluator-option-kinds.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import { type EvaluationCall, type Outcome, Runner } from "./runner.js";

/** Evaluates decisions with hooks and observers. */
export interface Evaluator {
  /**
   * Evaluates one call.
   *
   * @returns the envelope; at once when there are no hooks, else a promise. `await` takes both.
   * @throws DecernError (or rejects with it) on a fault: `EVALUATION_FAILED`, `EVALUATION_ABORTED`, `HOOK_TIMEOUT`
   */
  evaluate<Input, Output, Profile, GivenInput, GivenProfile>(
    decision: Decision<Input, Output, Profile>,
    call: EvaluationCall & {
      /** As `evaluate` takes it: checked by TypeScript unless its type is `unknown`. */
      readonly input: InputFor<NoInfer<Input>, GivenInput>;
      readonly profile?: ProfileFor<NoInfer<Profile>, GivenProfile> | undefined;
    },
  ): Awaitable<Result<Output>>;
}

/**
 * Makes an evaluator for use in process; hosts bring their own.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown or of a wrong kind
 *
 * @example
 * ```ts
 * const evaluator = createEvaluator({ hooks: { afterEvaluate: (context, result) => audit(context.requestId, result) } });
 * const result = await evaluator.evaluate(loanApproval, { input, profile });
 * ```
 */
export function createEvaluator(options: EvaluatorOptions = {}): Evaluator {
  checkOptions("createEvaluator", options, { kinds: evaluatorOptionKinds });
  const runner = new Runner(options);
  return {
    evaluate(decision, call) {
      checkDecision(decision);
      if (typeof call !== "object" || call === null) {
        const detail = "evaluate: the call has to be an object with an input";
        throw new DecernError("INVALID_OPTIONS", { detail });
      }
      const outcome = runner.run(decision, call, "result");
      return isThenable(outcome) ? outcome.then(resultOf) : resultOf(outcome);
    },
  };
}

function resultOf<Output>(outcome: Outcome<Output>): Result<Output> {
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.result;
}
