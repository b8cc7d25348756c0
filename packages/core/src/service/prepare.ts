import { ignoreRejection } from "../base/awaitable.js";
import { DecernError, type Problem } from "../base/errors.js";
import { consoleLogger, type Logger, loggerOf, neverThrowing } from "../base/logger.js";
import { type OptionKind, type OptionTable, optionKinds, optionProblems } from "../base/options.js";
import { readable } from "../base/thrown.js";
import { type Decision, isDecision, type ProfileInput } from "../decision/decision.js";
import { withProfile } from "../decision/describe.js";
import { type Catalogue, type CatalogueOptions, checkCatalogue } from "./catalogue.js";
import { mayGetProfile, missingProfile, missingUsedProfiles, warnOfMissing } from "./catalogue-problems.js";
import { type EvaluatorOptions, evaluatorOptionKinds } from "./evaluator-options.js";
import { type EvaluationObserver, notifyObservers } from "./hooks.js";
import { isProfileSource, type ProfileLoad, type ProfileSource } from "./profile-source.js";

/** What a host does about loads. */
interface Watcher {
  readonly observers: readonly EvaluationObserver[];
  readonly logger: Logger;
  /** Whether calls may bring the profiles that are missing. */
  readonly mayLack: boolean;
}

/**
 * Loads the profiles of a catalogue from a source, now and from time to time.
 *
 * @returns what is wrong with the first set, where the source could load it immediately
 */
function watchSource(
  source: ProfileSource,
  catalogue: Catalogue,
  { observers, logger, mayLack }: Watcher,
): readonly Problem[] {
  const log = neverThrowing(logger);
  let refused: readonly Problem[] | undefined = [];
  const watch = source.watch({
    accept: (set) => warnOfMissing(catalogue.acceptProfiles(set, mayLack), logger),
    onLoad: (load) => {
      // The host refuses to start, and says why.
      if (refused !== undefined && load.outcome === "failed") refused = problemsOf(load.error);
      else report(load);
    },
  });
  const found = refused;
  refused = undefined;
  catalogue.follow(watch);
  return found;

  function report(load: ProfileLoad): void {
    if (load.outcome === "failed") {
      const what =
        catalogue.profiles === undefined
          ? "No profiles are in use yet"
          : "The last valid profiles stay in use";
      log.error({ err: load.error }, `Profiles could not be loaded. ${what}`);
    }
    for (const observer of observers) {
      try {
        // Nothing waits for an observer; one that is asynchronous all the same must not end the process.
        ignoreRejection(observer.onProfilesLoaded?.({ ...load }));
      } catch (error) {
        log.error({ err: readable(error) }, "An observer failed");
      }
    }
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof DecernError && error.problems.length > 0) return error.problems;
  const message = error instanceof Error ? error.message : "could not be loaded";
  return [{ path: "/profiles", message }];
}

/** Tells observers what a host serves from now on. */
function tellServed(
  observers: readonly EvaluationObserver[],
  decisions: readonly Decision[],
  logger: Logger,
): void {
  notifyObservers(
    observers,
    (observer) => observer.onServed?.(decisions),
    (thrown) => neverThrowing(logger).error({ err: readable(thrown) }, "An observer failed"),
  );
}

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
    // No call brings the profile of a decision that another decision uses.
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
