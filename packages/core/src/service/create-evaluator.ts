import { type Awaitable, isThenable } from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import { checkOptions } from "../base/options.js";
import type { Decision, InputFor, ProfileFor } from "../decision/decision.js";
import { checkDecision } from "../decision/describe.js";
import type { Result } from "../decision/result.js";
import type { EvaluationCall } from "./call.js";
import { type EvaluatorOptions, evaluatorOptionKinds } from "./evaluator-options.js";
import { EvaluationPipeline } from "./pipeline.js";

/** Evaluates decisions with hooks and observers. */
export interface Evaluator {
  /**
   * Evaluates one call.
   *
   * @returns the envelope; at once when there are no hooks, else a promise. `await` takes both.
   * @throws DecernError (or rejects with it) on a fault: `EVALUATION_FAILED`, `EVALUATION_ABORTED`, `HOOK_TIMEOUT`
   */
  evaluate<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
    decision: Decision<Input, Output, Profile, string, RuleId>,
    call: EvaluationCall & {
      /** As `evaluate` takes it: checked by TypeScript unless its type is `unknown`. */
      readonly input: InputFor<NoInfer<Input>, GivenInput>;
      readonly profile?: ProfileFor<NoInfer<Profile>, GivenProfile> | undefined;
    },
  ): Awaitable<Result<Output, RuleId>>;
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
  const pipeline = new EvaluationPipeline(options);
  function evaluate<Output, RuleId extends string>(
    decision: Decision<unknown, Output, unknown, string, RuleId>,
    call: EvaluationCall,
  ): Awaitable<Result<Output, RuleId>>;
  // Apart from the signature above: a program does not tell the ids of its rules.
  function evaluate<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
  ): Awaitable<Result<Output>> {
    checkDecision(decision);
    if (typeof call !== "object" || call === null) {
      const detail = "evaluate: the call must be an object with an input";
      throw new DecernError("INVALID_OPTIONS", { detail });
    }
    const ended = pipeline.evaluate<Output, Result<Output> | DecernError>(decision, call, inProcess);
    return isThenable(ended) ? ended.then(orThrow) : orThrow(ended);
  }
  return { evaluate };
}

/** Nothing is encoded: the caller gets the result itself. */
const inProcess = {
  takesRequests: false,
  result<Output>(result: Result<Output>): Result<Output> {
    return result;
  },
  fault(error: DecernError): DecernError {
    return error;
  },
};

function orThrow<Output>(ended: Result<Output> | DecernError): Result<Output> {
  if (ended instanceof DecernError) throw ended;
  return ended;
}
