import { checkCatalogue } from "../definition/catalogue.js";
import type { Decision } from "../definition/decision.js";
import { DecernError, type Problem } from "../errors.js";
import type { EvaluatorOptions } from "../evaluation/evaluator-options.js";
import { consoleLogger, type Logger } from "../evaluation/logger.js";
import { isJsonObject } from "../schema/json-schema.js";
import { mayGetProfile, missingProfile, warnOfMissing } from "./missing-profile.js";

/** What differs between hosts. */
interface CatalogueHost {
  /**
   * Whether a call may bring a profile. If not, a decision that needs one and has none is refused; otherwise the log is
   * warned.
   * @default false
   */
  readonly fromCallers?: boolean;
  /** @default the console */
  readonly logger?: Logger;
}

/**
 * Checks the decisions and profiles of a host that serves several decisions.
 *
 * @param owner - whose options they are, for the message
 * @param found - what is wrong with the other options, to be reported together with the rest
 * @returns the decisions by id, each with its default profile
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function prepareCatalogue(
  owner: string,
  options: Pick<EvaluatorOptions, "hooks" | "logger"> & {
    readonly decisions?: unknown;
    readonly profiles?: unknown;
  },
  found: readonly Problem[],
  { fromCallers = false, logger = consoleLogger }: CatalogueHost = {},
): ReadonlyMap<string, Decision> {
  if (!isJsonObject(options)) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: found });
  const { catalogue, problems, withoutProfile } = checkCatalogue(options.decisions, options.profiles);
  const missing = withoutProfile.flatMap(({ decision, path }) => missingProfile(decision, path));
  const mayComeLater = mayGetProfile(options, fromCallers);
  const all = [
    ...found,
    // An option of a wrong kind was found already.
    ...problems.filter(({ path }) => !found.some((other) => other.path === path)),
    ...(mayComeLater ? [] : missing),
  ];
  if (all.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: all });
  warnOfMissing(missing, options.logger ?? logger);
  return catalogue;
}
