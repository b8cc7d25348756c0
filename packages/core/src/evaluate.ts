import { systemClock } from "./clock.js";
import { type Decision, program } from "./decision.js";
import type { Result } from "./result.js";
import { RuleScope } from "./rule-scope.js";

/** What one evaluation may be told. */
export interface EvaluateOptions {
  /** The instant of the evaluation. @default the machine's clock */
  readonly now?: Date | undefined;
  /** For rules that ask for it. @default a fresh UUID */
  readonly requestId?: string | undefined;
}

/**
 * Evaluates a decision, in process and synchronously.
 *
 * @param input - validated against the input schema; never mutated
 * @param profile - validated against the profile schema; left out, the one of {@link withProfile}, else `{}`
 * @returns the envelope: `OK`, `NO_MATCH`, `INVALID_INPUT` or `INVALID_PROFILE`
 * @throws DecernError `EVALUATION_FAILED` when a rule throws, its output breaks the output schema or has no JSON form, or
 *   a schema answers a promise; with the cause
 */
export function evaluate<Output>(
  decision: Decision<unknown, Output>,
  input: unknown,
  profile?: unknown,
  options?: EvaluateOptions,
): Result<Output> {
  const epochMs = options?.now === undefined ? systemClock.now() : options.now.getTime();
  return decision[program].run(input, profile, new RuleScope(epochMs, options?.requestId));
}
