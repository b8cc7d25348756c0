import type { Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json-schema.js";
import { type Logger, neverThrowing } from "../base/logger.js";
import { kinds } from "../base/options.js";
import { type Decision, program } from "../decision/decision.js";
import { usedBy } from "../decision/describe.js";
import { listOf, toValidationIssues, validate } from "../decision/validation.js";
import type { EvaluatorOptions } from "./evaluator-options.js";

/** Names of the profiles that callers may choose, by decision id. */
type Offered = Readonly<Record<string, readonly string[] | undefined>>;

const names = kinds.listOf(kinds.nonEmptyText);

/**
 * Reads the `callerProfiles` option, whether or not there are profiles of those names.
 *
 * @returns no names where something is wrong with them
 */
export function readOffered(
  given: unknown,
  ids: ReadonlyMap<string, unknown>,
): { readonly offered: Offered; readonly problems: readonly Problem[] } {
  const problems = offeredProblems(given, ids);
  if (given === undefined || problems.length > 0) return { offered: {}, problems };
  // Each list has been checked to be one of texts.
  return { offered: given as Offered, problems };
}

function offeredProblems(offered: unknown, ids: ReadonlyMap<string, unknown>): readonly Problem[] {
  if (offered === undefined) return [];
  if (!isJsonObject(offered)) return [{ path: "/callerProfiles", message: "must be an object" }];
  return Object.entries(offered).flatMap(([id, list]) => {
    const path = `/callerProfiles/${escapePointer(id)}`;
    if (!ids.has(id)) return [{ path, message: "does not belong to any decision" }];
    return list === undefined ? [] : names(list, path);
  });
}

/**
 * Finds out whether a decision can be evaluated with the profile that it has.
 *
 * @param path - where the host would give one
 * @returns a problem for a decision without a profile whose schema refuses `{}`
 */
export function missingProfile(decision: Decision, path: string): readonly Problem[] {
  const needs = profileNeeds(decision);
  if (needs === undefined) return [];
  return [
    { path, message: `is required: decision "${decision.id}" cannot run without a profile (${needs})` },
  ];
}

/**
 * Finds out which of the decisions that a decision uses, at every depth, cannot be evaluated. No call can bring a profile for
 * them.
 *
 * @param path - where the decision itself was given
 */
export function missingUsedProfiles(decision: Decision, path: string): readonly Problem[] {
  return [...usedBy([decision])].flatMap((used) => {
    const needs = profileNeeds(used);
    if (needs === undefined) return [];
    const message = `decision "${used.id}" cannot run without a profile (${needs}); list withProfile(decision, profile) instead`;
    return [{ path: `${path}/uses`, message }];
  });
}

/** What the profile of a decision lacks, as text. */
function profileNeeds(decision: Decision): string | undefined {
  try {
    const profile = decision[program].boundProfile;
    const { issues } = validate(decision.profileSchema["~standard"], profile);
    return issues === undefined ? undefined : listOf(toValidationIssues(issues, profile), "profile");
  } catch {
    // A schema that throws says nothing about profiles. Evaluations report it as the decision's error.
    return undefined;
  }
}

/** Whether a profile may still arrive with a call. If not, a missing one must be refused at start. */
export function mayGetProfile(
  { hooks, profileResolver }: Pick<EvaluatorOptions, "hooks"> & { readonly profileResolver?: unknown },
  fromCallers = false,
): boolean {
  return fromCallers || profileResolver !== undefined || hooks?.beforeEvaluate !== undefined;
}

/** Tells the log about profiles that are missing, where calls may still bring them. */
export function warnOfMissing(missing: readonly Problem[], logger: Logger): void {
  if (missing.length === 0) return;
  const list = missing.map(({ path, message }) => `${path} ${message}`).join("; ");
  neverThrowing(logger).warn({ problems: missing }, `Every call without a profile will fail: ${list}`);
}
