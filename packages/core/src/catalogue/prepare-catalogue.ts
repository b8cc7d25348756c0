import { DecernError, type Problem } from "../errors.js";
import type { EvaluatorOptions } from "../evaluation/evaluator-options.js";
import { consoleLogger, type Logger, loggerOf } from "../evaluation/logger.js";
import { tellServed } from "../evaluation/tell-served.js";
import { isProfileSource } from "../profiles/profile-source.js";
import { type Catalogue, type CatalogueOptions, checkCatalogue } from "./catalogue.js";
import { mayGetProfile, missingProfile, warnOfMissing } from "./missing-profile.js";
import { watchSource } from "./watch-source.js";

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
  options: Pick<EvaluatorOptions, "hooks" | "logger" | "observers"> &
    CatalogueOptions & { readonly profileResolver?: unknown },
  found: readonly Problem[],
  { fromCallers = false, logger = consoleLogger }: CatalogueHost = {},
): Catalogue {
  if (typeof options !== "object" || options === null)
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: found });
  const source = isProfileSource(options.profiles) ? options.profiles : undefined;
  const { catalogue, problems, withoutProfile } = checkCatalogue(options, source === undefined);
  const missing = (isUsed: boolean): readonly Problem[] =>
    withoutProfile
      .filter((found) => found.isUsed === isUsed)
      .flatMap(({ decision, path }) => missingProfile(decision, path));
  const mayComeLater = mayGetProfile(options, fromCallers);
  const missingOfServed = missing(false);
  const all = [
    ...found,
    // An option of a wrong kind was found already.
    ...problems.filter(({ path }) => !found.some((other) => other.path === path)),
    // No call brings the profile of a decision that another one uses.
    ...missing(true),
    ...(mayComeLater ? [] : missingOfServed),
  ];
  const host = {
    observers: options.observers ?? [],
    logger: loggerOf(options.logger, logger),
    mayLack: mayComeLater,
  };
  const refused = source === undefined ? [] : watchSource(source, catalogue, host);
  if (all.length > 0 || refused.length > 0) {
    catalogue.stop();
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: [...all, ...refused] });
  }
  warnOfMissing(missingOfServed, host.logger);
  tellServed(host.observers, catalogue.served, host.logger);
  return catalogue;
}
