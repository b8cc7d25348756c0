import type { Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json-schema.js";
import { type Logger, neverThrowing } from "../base/logger.js";
import { feature, optionKinds } from "../base/options.js";
import type { Decision } from "../decision/decision.js";
import { defaultProfile, usedBy } from "../decision/describe.js";
import { listOf, toValidationIssues, validate } from "../decision/validation.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import type { BoundProfiles } from "./profiles.js";
import type { HostedDecision } from "./versions.js";

/** Names of the profiles that callers may choose, by decision id. */
type Offered = Readonly<Record<string, readonly string[] | undefined>>;

const names = optionKinds.listOf(optionKinds.nonEmptyText);

/** Finds what is wrong with the `callerProfiles` option, whether or not there are profiles of those names. */
export function offeredProblems(offered: unknown, ids: ReadonlyMap<string, unknown>): readonly Problem[] {
  if (offered === undefined) return [];
  if (!isJsonObject(offered)) return [{ path: "/callerProfiles", message: "must be an object" }];
  return Object.entries(offered).flatMap(([id, list]) => {
    const path = `/callerProfiles/${escapePointer(id)}`;
    if (!ids.has(id)) return [{ path, message: "does not belong to any decision" }];
    return list === undefined ? [] : names(list, path);
  });
}

/** Whether the `callerProfiles` option has no problem. */
export function areOffered(offered: unknown, problems: readonly Problem[]): offered is Offered {
  return isJsonObject(offered) && problems.length === 0;
}

/** Finds profiles that callers may choose, and that some version does not have. */
export function missingOffered(
  hosted: Iterable<HostedDecision>,
  profiles: BoundProfiles,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { id, offered, versions } of hosted) {
    for (const name of offered) {
      for (const { decision } of versions.values()) {
        if (profiles.bindNamed(decision, name) !== undefined) continue;
        const path = `/callerProfiles/${escapePointer(id)}`;
        const message = `"${name}" needs a profile "${id}#${name}", for version ${decision.version}`;
        problems.push({ path, message });
      }
    }
  }
  return problems;
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
    const profile = defaultProfile(decision);
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

/** Finds values that are no facade, and facades that evaluate a decision which the host does not serve. */
export function facadeProblems(
  given: unknown,
  hosted: ReadonlyMap<string, HostedDecision>,
): readonly Problem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [{ path: "/facades", message: "must be a list" }];
  // `Array.from` sees the holes that `flatMap` alone would skip.
  return Array.from(given, (facade: unknown) => facade).flatMap((facade, index) => {
    const path = `/facades/${index}`;
    if (!isFacade(facade)) {
      const message = "is not a facade; make it with a package such as @decern/authzen";
      return [{ path, message }];
    }
    return facade.decisions
      .filter(
        (decision) =>
          ![...(hosted.get(decision.id)?.versions.values() ?? [])].some(
            (version) => version.decision === decision,
          ),
      )
      .map(({ id, version }) => ({
        path,
        message: `${facade.name} evaluates version ${version} of "${id}", which is not among the decisions`,
      }));
  });
}

/** What this needs of a facade; the whole interface belongs to the hosts. */
interface FacadeDecisions {
  readonly name: string;
  readonly decisions: readonly Decision[];
}

function isFacade(value: unknown): value is FacadeDecisions {
  return isJsonObject(value) && feature in value && value[feature] === "facade";
}
