import { ignoreRejection } from "../base/awaitable.js";
import { DecernError, type Problem } from "../base/errors.js";
import { type Logger, loggerOf, neverThrowing } from "../base/logger.js";
import { type OptionRows, type OptionRule, readOptions } from "../base/options.js";
import { readable } from "../base/thrown.js";
import { type Decision, isDecision } from "../decision/decision.js";
import { withProfile } from "../decision/describe.js";
import { Catalogue, checkGeneration, DecisionSet, Generation, type SetOptions } from "./catalogue.js";
import { mayGetProfile, missingProfile, missingUsedProfiles, warnOfMissing } from "./catalogue-problems.js";
import { Chooser, type ProfilePolicy } from "./choice.js";
import { type EvaluatorOptions, oneProfile } from "./evaluator-options.js";
import { type EvaluationObserver, notifyObservers } from "./hooks.js";
import {
  isProfileSource,
  type ProfileLoad,
  type ProfileOverride,
  type ProfileResolver,
  type ProfileSource,
} from "./profile-source.js";
import { BoundProfiles } from "./profiles.js";
import { Service } from "./service.js";

/** What a service of several decisions is made of. JavaScript callers may give anything. */
export interface ServiceOptions extends EvaluatorOptions, SetOptions {
  readonly profileResolver?: ProfileResolver | undefined;
}

/**
 * What a service of one decision is made of, for a route of the host's own. JavaScript callers may give anything.
 *
 * @typeParam Source - the framework's request
 */
export interface SingleOptions<Source> extends EvaluatorOptions {
  readonly decision: unknown;
  /** A fixed one. */
  readonly profile?: unknown;
  /** Returns the profile for one request. `undefined` means `{}`. */
  readonly profileResolver?: ((request: Source) => unknown) | undefined;
}

/** What a host adds to its service. */
export interface ServiceHost {
  /** Every option of the host. @default nobody checks the options of another kind than decisions and profiles */
  readonly rows?: OptionRows | undefined;
  /** What else is wrong with the options, to be reported together with the rest. */
  readonly problems?: readonly Problem[] | undefined;
  /** Finds problems that need the decisions, such as columns that an input doesn't have. */
  readonly check?: ((generation: Generation) => readonly Problem[]) | undefined;
  /** What becomes of a profile that a caller sends. @default callers send none */
  readonly override?: ProfileOverride | undefined;
  /** Where to log if the options don't say. @default the console */
  readonly logger?: Logger | undefined;
}

/** What a service begins with, and everything that is wrong with it. */
interface Assembled {
  /** Absent where there is no decision. */
  readonly generation: Generation | undefined;
  readonly problems: readonly Problem[];
  /** Profiles that each call has to bring. */
  readonly missing: readonly Problem[];
  readonly cause?: unknown;
}

/**
 * Makes the service of a host that serves several decisions.
 *
 * @param owner - whose options they are, for the message
 * @throws DecernError `INVALID_OPTIONS` with every problem of the options, of the decisions and of the host
 */
export function createService(owner: string, options: ServiceOptions, host: ServiceHost = {}): Service {
  const problems = problemsIn(owner, options, host);
  const { override } = host;
  const mayLack = mayGetProfile(options, override !== undefined && override !== false);
  const given = ofSeveral(options, mayLack);
  const source = isProfileSource(options.profiles) ? options.profiles : undefined;
  const policy = { resolve: options.profileResolver, override };
  return assemble(owner, options, { ...host, problems }, given, policy, { source, mayLack });
}

/**
 * Makes the service of a host that evaluates one decision, for a route of its own.
 *
 * @throws DecernError `INVALID_OPTIONS` as {@link createService}
 */
export function createSingleService<Source>(
  owner: string,
  options: SingleOptions<Source>,
  host: ServiceHost = {},
): Service<Source> {
  const problems = problemsIn(owner, options, host, [oneProfile]);
  const { profileResolver } = options;
  const resolve = profileResolver && ((_call: unknown, source: Source) => profileResolver(source));
  return assemble(owner, options, { ...host, problems }, ofOne(options), { resolve, isOfOne: true });
}

/** @throws DecernError `INVALID_OPTIONS` for what is no options at all, as JavaScript callers may give it */
function problemsIn(
  owner: string,
  options: unknown,
  { rows, problems = [] }: ServiceHost,
  rules?: readonly OptionRule[],
): readonly Problem[] {
  const found = rows === undefined ? problems : [...readOptions(options, rows, rules).problems, ...problems];
  if (typeof options === "object" && options !== null) return found;
  throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: found });
}

/** The one place where decisions, profiles, choice and steps are put together. */
function assemble<Source>(
  owner: string,
  options: EvaluatorOptions,
  host: ServiceHost,
  { generation, problems, missing, cause }: Assembled,
  policy: ProfilePolicy<Source>,
  loading?: { readonly source: ProfileSource | undefined; readonly mayLack: boolean },
): Service<Source> {
  const checked = generation === undefined ? [] : (host.check?.(generation) ?? []);
  const found = host.problems ?? [];
  // An option of a wrong kind was found already.
  const others = [...problems, ...checked].filter(({ path }) => !found.some((other) => other.path === path));
  const all = [...found, ...others];
  if (generation === undefined)
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: all, cause });
  const { observers = [] } = options;
  const logger = loggerOf(options.logger, host.logger);
  const catalogue = new Catalogue(generation);
  const refused =
    loading?.source === undefined
      ? []
      : watchSource(loading.source, catalogue, { observers, logger, mayLack: loading.mayLack });
  if (all.length > 0 || refused.length > 0) {
    void catalogue.stop();
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: [...all, ...refused], cause });
  }
  warnOfMissing(missing, logger);
  tellServed(observers, generation.versions, logger);
  return new Service(catalogue, new Chooser(policy), options, logger);
}

function ofSeveral(options: ServiceOptions, mayLack: boolean): Assembled {
  const { generation, problems, withoutProfile } = checkGeneration(
    options,
    !isProfileSource(options.profiles),
  );
  const { used } = generation.set;
  const missing = (isUsed: boolean): readonly Problem[] =>
    withoutProfile
      .filter(({ decision }) => used.has(decision) === isUsed)
      .flatMap(({ decision, path }) => missingProfile(decision, path));
  const missingOfServed = missing(false);
  return {
    generation,
    problems: [
      ...problems,
      // No call brings the profile of a decision that another one uses.
      ...missing(true),
      ...(mayLack ? [] : missingOfServed),
    ],
    missing: missingOfServed,
  };
}

/** A service of one decision has a set of one, whose path nobody names. */
function ofOne<Source>(options: SingleOptions<Source>): Assembled {
  const { decision, profile, profileResolver } = options;
  if (!isDecision(decision)) return { generation: undefined, problems: [], missing: [] };
  // A resolver has to return a profile for every request.
  const isMissing = profile === undefined && profileResolver === undefined;
  const missing = isMissing ? missingProfile(decision, "/profile") : [];
  const problems = [
    ...missingUsedProfiles(decision, "/decision"),
    ...(mayGetProfile(options) ? [] : missing),
  ];
  try {
    const bound: Decision = profile === undefined ? decision : withProfile(decision, profile);
    const set = new DecisionSet([{ id: bound.id, versions: [bound], policies: {} }]);
    return { generation: new Generation(set, new BoundProfiles(new Map())), problems, missing };
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    const wrong = error.problems.map((problem) => ({ ...problem, path: `/profile${problem.path}` }));
    return { generation: undefined, problems: [...problems, ...wrong], missing, cause: error.cause };
  }
}

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
 * @returns what is wrong with the first set, where the source could load it at once
 */
function watchSource(
  source: ProfileSource,
  catalogue: Catalogue,
  { observers, logger, mayLack }: Watcher,
): readonly Problem[] {
  const log = neverThrowing(logger);
  let refused: readonly Problem[] | undefined = [];
  const watch = source.watch({
    accept: (set) => warnOfMissing(catalogue.accept(set, mayLack), logger),
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
        catalogue.current.profiles === undefined
          ? "No profiles are in use yet"
          : "The last valid profiles stay in use";
      log.error({ err: load.error }, `Profiles could not be loaded. ${what}`);
    }
    for (const observer of observers) {
      try {
        // Nobody waits for an observer; one that is asynchronous all the same must not end the process.
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
