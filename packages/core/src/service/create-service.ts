import { DecernError, type Problem } from "../base/errors.js";
import { type Logger, loggerOf } from "../base/faults.js";
import { type OptionRule, type RowsOf, readOptions } from "../base/options.js";
import { type Decision, isDecision } from "../decision/decision.js";
import { withProfile } from "../decision/describe.js";
import { Catalogue, type GenerationPlan } from "./catalogue.js";
import { checkGeneration, type SetOptions } from "./check-generation.js";
import { Chooser, type ProfilePolicy } from "./choice.js";
import { type EvaluatorOptions, oneProfile } from "./evaluator-options.js";
import { DecisionSet, Generation } from "./generation.js";
import { type DecisionSource, sourceOf } from "./generation-source.js";
import { tellServed, warnOfMissing, watchSource } from "./part-loads.js";
import {
  BoundProfiles,
  missingProfile,
  missingUsedProfiles,
  type ProfileOverride,
  type ProfileResolver,
} from "./profiles.js";
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
  /** Every option of the host. @default only decisions and profiles are checked */
  readonly rows?: RowsOf | undefined;
  /** What else is wrong with the options, to be reported together with the rest. */
  readonly problems?: readonly Problem[] | undefined;
  /**
   * Finds problems that need the decisions, such as columns that an input doesn't have. It gets every generation; the first has
   * only the decisions that never change, where others are `awaited`.
   */
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
  /** What is loaded; absent where nothing is. */
  readonly loading?: Loading | undefined;
  readonly cause?: unknown;
}

/** The sources of a service. */
interface Loading {
  readonly plan: GenerationPlan;
  readonly decisions: Source | undefined;
  readonly profiles: Source | undefined;
}

type Source = Pick<DecisionSource, "watch">;

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
  const given = ofSeveral(options, mayLack, host.check);
  const policy = { resolve: options.profileResolver, override };
  return assemble(owner, options, { ...host, problems }, given, policy);
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
  const given = ofOne(options, host.check);
  return assemble(owner, options, { ...host, problems }, given, { resolve, isOfOne: true });
}

/** @throws DecernError `INVALID_OPTIONS` for what isn't an object, as JavaScript callers may give it */
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
  { generation, problems, missing, loading, cause }: Assembled,
  policy: ProfilePolicy<Source>,
): Service<Source> {
  const checked = (generation && host.check?.(generation)) ?? [];
  const found = host.problems ?? [];
  // An option of a wrong kind was found already.
  const others = [...problems, ...checked].filter(({ path }) => !found.some((other) => other.path === path));
  const all = [...found, ...others];
  if (generation === undefined)
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: all, cause });
  const { observers = [] } = options;
  const logger = loggerOf(options.logger, host.logger);
  const catalogue = new Catalogue(generation, loading?.plan);
  const refused = [
    ...watchSource("profiles", loading?.profiles, catalogue, { observers, logger }),
    ...watchSource("decisions", loading?.decisions, catalogue, { observers, logger }),
  ];
  if (all.length > 0 || refused.length > 0) {
    void catalogue.loads.stop();
    throw new DecernError("INVALID_OPTIONS", { detail: owner, problems: [...all, ...refused], cause });
  }
  warnOfMissing(missing, logger);
  tellServed(observers, catalogue.current.versions, logger);
  return new Service(catalogue, new Chooser(policy), options, logger);
}

function ofSeveral(options: ServiceOptions, mayLack: boolean, check: ServiceHost["check"]): Assembled {
  const source = sourceOf("decision-source", options.decisions);
  const profiles = source?.profiles ?? options.profiles;
  const profilesFrom = sourceOf("profile-source", profiles);
  const isTwice = source?.profiles !== undefined && options.profiles !== undefined;
  const twice = { path: "/profiles", message: "is given to watchDecisions already" };
  const given = {
    ...options,
    decisions: source === undefined ? options.decisions : source.fixed,
    profiles: profilesFrom === undefined ? profiles : undefined,
  };
  const awaited = source?.contracts.flatMap(({ ids }) => ids) ?? [];
  const awaitsProfiles = profilesFrom !== undefined;
  const { generation, problems, withoutProfile } = checkGeneration(given, {
    decisions: awaited,
    profiles: awaitsProfiles,
  });
  const { used } = generation.set;
  const missing = (isUsed: boolean): readonly Problem[] =>
    withoutProfile
      .filter(({ decision }) => used.has(decision) === isUsed)
      .flatMap(({ decision, path }) => missingProfile(decision, path));
  const missingOfServed = missing(false);
  const plan = { options: given, awaited, awaitsProfiles, mayLack, check: check ?? (() => []) };
  return {
    generation,
    problems: [
      ...(isTwice ? [twice] : []),
      ...problems,
      // No call brings the profile of a decision that others use.
      ...missing(true),
      ...(mayLack ? [] : missingOfServed),
    ],
    missing: missingOfServed,
    loading: { plan, decisions: source, profiles: profilesFrom },
  };
}

/** A service of one decision has a set of one, which needs no path. */
function ofOne<Source>(options: SingleOptions<Source>, check: ServiceHost["check"]): Assembled {
  const { decision, profile, profileResolver } = options;
  const source = sourceOf("decision-source", decision);
  if (source !== undefined) {
    const ids = source.contracts.flatMap((contract) => contract.ids);
    const [id = ""] = ids;
    const message = "must have one contract of one decision, and nothing fixed";
    if (ids.length !== 1 || source.fixed.length > 0)
      return { generation: undefined, problems: [{ path: "/decision", message }], missing: [] };
    const profiles = profile === undefined ? undefined : { [id]: profile };
    const mayLack = profileResolver !== undefined || mayGetProfile(options);
    return ofSeveral({ ...options, profileResolver: undefined, decisions: source, profiles }, mayLack, check);
  }
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

/** Whether a profile may still arrive with a call. If not, a missing one must be refused at start. */
function mayGetProfile(
  { hooks, profileResolver }: Pick<EvaluatorOptions, "hooks"> & { readonly profileResolver?: unknown },
  fromCallers = false,
): boolean {
  return fromCallers || profileResolver !== undefined || hooks?.beforeEvaluate !== undefined;
}
