import { DecernError } from "../errors.js";
import { wrongOptions } from "../options/option-kinds.js";
import { evaluatorOptionKinds } from "./evaluator-option-kinds.js";
import type { EvaluatorOptions } from "./evaluator-options.js";

/**
 * Refuses evaluator options of a wrong kind, such as hooks and observers that would never be called. What else a host has
 * among its options is for the host to check.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkEvaluatorOptions(options: EvaluatorOptions): void {
  const problems = wrongOptions(options, evaluatorOptionKinds);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
}
