import {
  mayGetProfile,
  missingProfile,
  missingUsedProfiles,
  warnOfMissing,
} from "../catalogue/missing-profile.js";
import { type Decision, isDecision } from "../definition/decision.js";
import type { ProfileInput } from "../definition/given.js";
import { withProfile } from "../definition/with-profile.js";
import { DecernError, type Problem } from "../errors.js";
import { evaluatorOptionKinds } from "../evaluation/evaluator-option-kinds.js";
import type { EvaluatorOptions } from "../evaluation/evaluator-options.js";
import { loggerOf } from "../evaluation/logger.js";
import { tellServed } from "../evaluation/tell-served.js";
import { optionProblems } from "../options/check-options.js";
import { type OptionKind, type OptionTable, optionKinds } from "../options/option-kinds.js";

const { anything, callback } = optionKinds;

const decisionKind: OptionKind = (value, path) =>
  isDecision(value) ? [] : [{ path, message: "is not a decision; make it with defineDecision" }];

/** What everything that evaluates one decision for a host takes. */
interface DecisionOptions extends EvaluatorOptions {
  readonly decision: unknown;
  readonly profile?: unknown;
  readonly profileResolver?: unknown;
  readonly inputMapper?: unknown;
  readonly caller?: unknown;
}

/** The kinds of the options of everything that evaluates one decision for a host; each adds its own. */
export const decisionOptionKinds: OptionTable<DecisionOptions> = {
  decision: decisionKind,
  // Its schema judges it, once the decision is known to be one.
  profile: anything,
  profileResolver: callback,
  inputMapper: callback,
  caller: callback,
  ...evaluatorOptionKinds,
};

/**
 * Checks the options of what evaluates one decision for a host, and gives the decision its fixed profile.
 *
 * @param owner - whose options they are, for the message
 * @param kinds - of every option: {@link decisionOptionKinds} and the host's own
 * @param required - names of the host's own options that have to be given
 * @throws DecernError `INVALID_OPTIONS` for options that are unknown, missing, of a wrong kind or contradict one another, and
 *   for a profile that breaks its schema or that is missing and required, that of a decision which this one uses included
 */
export function prepareDecision<Output, Profile>(
  owner: string,
  options: EvaluatorOptions & {
    readonly decision: Decision<unknown, Output, Profile>;
    readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
    readonly profileResolver?: unknown;
  },
  kinds: Readonly<Record<string, OptionKind>>,
  required: readonly string[] = [],
): Decision<unknown, Output, Profile> {
  const rules = { kinds, required: ["decision", ...required], exclusive: [["profile", "profileResolver"]] };
  const problems: Problem[] = [...optionProblems(options, rules)];
  let cause: unknown;
  let missing: readonly Problem[] = [];
  let prepared: Decision<unknown, Output, Profile> | undefined;
  if (hasDecision(options)) {
    const { decision, profile, profileResolver } = options;
    problems.push(...missingUsedProfiles(decision, "/decision"));
    // A resolver has to return a profile for every request.
    if (profile === undefined && profileResolver === undefined)
      missing = missingProfile(decision, "/profile");
    if (!mayGetProfile(options)) problems.push(...missing);
    try {
      prepared = profile === undefined ? decision : withProfile(decision, profile);
    } catch (error) {
      if (!(error instanceof DecernError)) throw error;
      problems.push(...error.problems.map((problem) => ({ ...problem, path: `/profile${problem.path}` })));
      cause = error.cause;
    }
  }
  if (prepared === undefined || problems.length > 0)
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems, cause });
  const logger = loggerOf(options.logger);
  warnOfMissing(missing, logger);
  tellServed(options.observers ?? [], [prepared], logger);
  return prepared;
}

/** JavaScript callers may give anything. */
function hasDecision(options: unknown): boolean {
  return (
    typeof options === "object" && options !== null && "decision" in options && isDecision(options.decision)
  );
}
