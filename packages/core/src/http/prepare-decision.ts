import { createCatalogue } from "../catalogue.js";
import type { Decision } from "../decision.js";
import { DecernError } from "../errors.js";
import type { EvaluatorOptions } from "../evaluator-options.js";
import { checkOptions } from "../options.js";
import { withProfile } from "../with-profile.js";

/** The names of {@link EvaluatorOptions}, which every host takes beside its own. */
export const EVALUATOR_OPTIONS = [
  "hooks",
  "observers",
  "clock",
  "logger",
  "hookTimeoutMs",
] as const satisfies readonly (keyof EvaluatorOptions)[];

/**
 * Checks the options of what evaluates one decision for a host, and gives the decision its fixed profile.
 *
 * @param owner - whose options they are, for the message
 * @param callbacks - names of the callbacks that it takes beside `profileResolver` and `inputMapper`
 * @param settings - names of its other options
 * @throws DecernError `INVALID_OPTIONS` for options that are unknown, missing, contradict one another or are no functions, and
 *   for a profile that breaks its schema
 */
export function prepareDecision<Output, Profile>(
  owner: string,
  options: {
    readonly decision: Decision<unknown, Output, Profile>;
    readonly profile?: NoInfer<Profile> | undefined;
  },
  callbacks: readonly string[],
  settings: readonly string[] = [],
): Decision<unknown, Output, Profile> {
  const functions = ["profileResolver", "inputMapper", ...callbacks];
  checkOptions(owner, options, {
    known: ["decision", "profile", ...functions, ...settings, ...EVALUATOR_OPTIONS],
    required: ["decision"],
    exclusive: [["profile", "profileResolver"]],
  });
  const problems = Object.entries(options)
    .filter(([name, value]) => functions.includes(name) && value !== undefined && typeof value !== "function")
    .map(([name]) => ({ path: `/${name}`, message: "has to be a function" }));
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems });
  const { decision, profile } = options;
  createCatalogue([decision]);
  return profile === undefined ? decision : withProfile(decision, profile);
}
