import { type Awaitable, isThenable } from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import { checkedOptions } from "../base/options.js";
import type { Decision } from "../decision/decision.js";
import { checkDecision } from "../decision/describe.js";
import type { Result } from "../decision/result.js";
import type { InputFor, ProfileFor } from "../decision/schema.js";
import { type EvaluatorOptions, evaluatorRows } from "./evaluator-options.js";
import { unknownOrigin } from "./request-view.js";
import type { Choice, EvaluationCall, Run } from "./run.js";
import { Runner } from "./runner.js";

/** Evaluates decisions with hooks and observers. */
export interface Evaluator {
  /**
   * Evaluates one call.
   *
   * @returns the envelope; immediately when there are no hooks, else a promise. `await` takes both.
   * @throws DecernError (or rejects with it) on an error: `EVALUATION_FAILED`, `EVALUATION_ABORTED`, `HOOK_TIMEOUT`
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
  const runner = new Runner(checkedOptions("createEvaluator", options, evaluatorRows));
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
    const { input, profile, requestId, caller } = call;
    const origin = caller === undefined ? unknownOrigin : { ...unknownOrigin, caller };
    // Field by field: spreading objects costs as much as a small evaluation.
    const choice: Choice<Output> = {
      decision,
      profile,
      profileFrom: call.profileFrom ?? "caller",
      sharesProfile: false,
      profiles: undefined,
      selectedBy: "default",
      headers: undefined,
      shadow: undefined,
    };
    const run = runner.run(origin, choice, input, requestId);
    return isThenable(run) ? run.then(resultOf) : resultOf(run);
  }
  return { evaluate };
}

function resultOf<Output>({ result, error }: Run<Output>): Result<Output> {
  if (result === undefined) throw error;
  return result;
}
