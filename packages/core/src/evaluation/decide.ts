import { type Decision, program } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import type { Result } from "../program/result.js";
import type { Evaluation } from "./evaluation.js";

/**
 * Evaluates the decision itself.
 *
 * @param isGuarded - whether a value with too many levels is refused before anything looks into it
 * @throws what made a step before fail, and every fault
 */
export function decide<Output>(
  decision: Decision<unknown, Output>,
  evaluation: Evaluation,
  isGuarded: boolean,
): Result<Output> {
  const { input, givenProfile, scope, aborted } = evaluation;
  if (aborted !== undefined) throw aborted.thrown;
  const compiled = decision[program];
  const refusal = isGuarded ? compiled.refuseNesting(input, givenProfile, scope) : undefined;
  const result = refusal ?? compiled.evaluate(input, givenProfile, scope);
  if (result.status === "INVALID_PROFILE" && evaluation.profileFrom === "host") {
    throw new DecernError("INVALID_HOST_PROFILE", {
      detail: `the host's profile for decision "${decision.id}" breaks its schema`,
      problems: result.errors,
    });
  }
  return result;
}
