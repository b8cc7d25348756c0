import type { Decision } from "../definition/decision.js";
import { defaultProfile } from "../definition/default-profile.js";
import type { Problem } from "../errors.js";
import type { EvaluatorOptions } from "../evaluation/evaluator-options.js";
import { type Logger, neverThrowing } from "../evaluation/logger.js";
import { listOf, toValidationIssues, validate } from "../program/validation.js";

/**
 * Finds out whether a decision can be evaluated with the profile that it has.
 *
 * @param path - where the host would give one
 * @returns a problem for a decision without a profile whose schema refuses `{}`
 */
export function missingProfile(decision: Decision, path: string): readonly Problem[] {
  try {
    const profile = defaultProfile(decision);
    const { issues } = validate(decision.profileSchema["~standard"], profile);
    if (issues === undefined) return [];
    const needs = listOf(toValidationIssues(issues, profile), "profile");
    const message = `is required: decision "${decision.id}" cannot run without a profile (${needs})`;
    return [{ path, message }];
  } catch {
    // A schema that throws says nothing about profiles. Evaluations report it as the decision's fault.
    return [];
  }
}

/** Whether a profile may still arrive with a call. If not, a missing one must be refused at start. */
export function mayGetProfile({ hooks }: EvaluatorOptions, fromCallers = false): boolean {
  return fromCallers || hooks?.beforeEvaluate !== undefined;
}

/** Tells the log about profiles that are missing, where calls may still bring them. */
export function warnOfMissing(missing: readonly Problem[], logger: Logger): void {
  if (missing.length === 0) return;
  const list = missing.map(({ path, message }) => `${path} ${message}`).join("; ");
  neverThrowing(logger).warn({ problems: missing }, `Every call that brings no profile will fail: ${list}`);
}
