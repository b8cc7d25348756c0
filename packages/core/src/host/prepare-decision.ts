import { type Decision, program } from "../definition/decision.js";
import type { ProfileInput } from "../definition/given.js";
import { withProfile } from "../definition/with-profile.js";
import { DecernError } from "../errors.js";
import { evaluatorOptionKinds } from "../evaluation/evaluator-option-kinds.js";
import type { EvaluatorOptions } from "../evaluation/evaluator-options.js";
import { consoleLogger } from "../evaluation/logger.js";
import { checkOptions } from "../options/check-options.js";
import { type OptionKind, type OptionTable, optionKinds } from "../options/option-kinds.js";
import { mayGetProfile, missingProfile, warnOfMissing } from "./missing-profile.js";

const { anything, callback } = optionKinds;

const decisionKind: OptionKind = (value, path) =>
  typeof value === "object" && value !== null && program in value
    ? []
    : [{ path, message: "is no decision; make it with defineDecision" }];

/** What everything that evaluates one decision for a host takes. */
interface DecisionOptions extends EvaluatorOptions {
  readonly decision: unknown;
  readonly profile?: unknown;
  readonly profileResolver?: unknown;
  readonly inputMapper?: unknown;
}

/** The kinds of the options of everything that evaluates one decision for a host; each adds its own. */
export const decisionOptionKinds: OptionTable<DecisionOptions> = {
  decision: decisionKind,
  // Its schema judges it, once the decision is known to be one.
  profile: anything,
  profileResolver: callback,
  inputMapper: callback,
  ...evaluatorOptionKinds,
};

/**
 * Checks the options of what evaluates one decision for a host, and gives the decision its fixed profile.
 *
 * @param owner - whose options they are, for the message
 * @param kinds - of every option: {@link decisionOptionKinds} and the host's own
 * @throws DecernError `INVALID_OPTIONS` for options that are unknown, missing, of a wrong kind or contradict one another, and
 *   for a profile that breaks its schema or that is missing and required
 */
export function prepareDecision<Output, Profile>(
  owner: string,
  options: EvaluatorOptions & {
    readonly decision: Decision<unknown, Output, Profile>;
    readonly profile?: NoInfer<ProfileInput<Profile>> | undefined;
    readonly profileResolver?: unknown;
  },
  kinds: Readonly<Record<string, OptionKind>>,
): Decision<unknown, Output, Profile> {
  checkOptions(owner, options, {
    kinds,
    required: ["decision"],
    exclusive: [["profile", "profileResolver"]],
  });
  const { decision, profile } = options;
  if (profile === undefined) {
    const missing = options.profileResolver === undefined ? missingProfile(decision, "/profile") : [];
    if (missing.length > 0 && !mayGetProfile(options)) {
      throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: missing });
    }
    warnOfMissing(missing, options.logger ?? consoleLogger);
    return decision;
  }
  try {
    return withProfile(decision, profile);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    const problems = error.problems.map((problem) => ({ ...problem, path: `/profile${problem.path}` }));
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems, cause: error.cause });
  }
}
