import { DecernError, type Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json.js";
import type { Awaitable } from "../base/time.js";
import { type Decision, type ProfileLookup, program } from "../decision/decision.js";
import { usedBy, withProfile } from "../decision/describe.js";
import { listOf, toValidationIssues } from "../decision/issues.js";
import { validate } from "../decision/validation.js";
import type { Revisions } from "./generation-source.js";
import type { Identity, RequestView, SelectedBy } from "./request-view.js";

/**
 * What a key of `profiles` stands for: `id` for every version of a decision, `id@version` for one of them, each with
 * `#name` for a profile that is only used where it is named.
 */
export interface ProfileKey {
  readonly id: string;
  readonly version: string | undefined;
  readonly name: string | undefined;
}

// Ids contain neither character. A version may contain any, so the name is what follows the last #.
const pattern = /^([^@#]+)(?:@(.+?))?(?:#([^#]+))?$/s;

/** @returns `undefined` for a text that is not a key */
export function parseProfileKey(text: string): ProfileKey | undefined {
  const match = pattern.exec(text);
  const id = match?.[1];
  return id === undefined ? undefined : { id, version: match?.[2], name: match?.[3] };
}

/** One decision with each of its profiles. */
interface Bound {
  /** With the default profile; the decision itself where there is none. */
  readonly standard: Decision;
  readonly named: ReadonlyMap<string, Decision>;
}

/** All profiles of a host at one time. A request uses one set from start to end. */
export class BoundProfiles implements ProfileLookup {
  readonly #bound: ReadonlyMap<Decision, Bound>;
  readonly profileRevision: string | undefined;
  readonly decisionRevision: string | undefined;

  constructor(bound: ReadonlyMap<Decision, Bound>, { profiles, decisions }: Revisions = {}) {
    this.#bound = bound;
    this.profileRevision = profiles?.revision;
    this.decisionRevision = decisions?.revision;
  }

  /** The decision with its default profile. */
  bind(decision: Decision): Decision {
    return this.#bound.get(decision)?.standard ?? decision;
  }

  /** The decision with a named profile; `undefined` where it has none of that name. */
  bindNamed(decision: Decision, name: string): Decision | undefined {
    return this.#bound.get(decision)?.named.get(name);
  }

  /** The names of its named profiles. */
  namesOf(decision: Decision): readonly string[] {
    return [...(this.#bound.get(decision)?.named.keys() ?? [])];
  }

  profileOf(decision: Decision): unknown {
    const bound = this.#bound.get(decision)?.standard;
    return bound === undefined || bound === decision ? undefined : bound[program].boundProfile;
  }
}

/** A set of profiles, and what is wrong with it. */
interface CheckedProfiles {
  readonly set: BoundProfiles;
  /** Keys that belong to no decision, and profiles that break their schema. */
  readonly problems: readonly Problem[];
  /** Decisions that were given no profile, with the path where it would be given. */
  readonly withoutProfile: readonly { readonly decision: Decision; readonly path: string }[];
}

/**
 * Validates all profiles of a host.
 *
 * @param decisions - every version, and everything that they use
 * @param profiles - by `id`, `id@version`, `id#name` and `id@version#name`; what names the version wins
 */
export function checkProfiles(
  decisions: readonly Decision[],
  profiles: unknown = {},
  revisions?: Revisions | undefined,
): CheckedProfiles {
  const problems: Problem[] = [];
  if (!isJsonObject(profiles)) problems.push({ path: "/profiles", message: "must be an object" });
  const versions = new Map<string, Set<string>>();
  for (const { id, version } of decisions) {
    const known = versions.get(id);
    if (known === undefined) versions.set(id, new Set([version]));
    else known.add(version);
  }
  const given = new Map<string, GivenProfile[]>([...versions.keys()].map((id) => [id, []] as const));
  for (const [text, profile] of Object.entries(isJsonObject(profiles) ? profiles : {})) {
    const key = parseProfileKey(text);
    const path = profilePath(text);
    const isKnown =
      key !== undefined && (key.version === undefined || versions.get(key.id)?.has(key.version) === true);
    const list = isKnown ? given.get(key.id) : undefined;
    if (list === undefined) problems.push({ path, message: "does not belong to any decision" });
    else if (key !== undefined && profile !== undefined) list.push({ key, path, profile });
  }
  const reported = new Set<string>();
  const report = (path: string, message: string): void => {
    // Several versions may break their schemas in the same way.
    const text = `${path}\n${message}`;
    if (!reported.has(text)) problems.push({ path, message });
    reported.add(text);
  };
  const bound = new Map(
    decisions.map((decision) => [decision, bindAll(decision, given.get(decision.id) ?? [], report)] as const),
  );
  const withoutProfile = decisions
    .filter((decision) => !hasDefault(decision, given.get(decision.id) ?? []))
    .map((decision) => ({ decision, path: profilePath(decision.id) }));
  return { set: new BoundProfiles(bound, revisions), problems, withoutProfile };
}

interface GivenProfile {
  readonly key: ProfileKey;
  readonly path: string;
  readonly profile: unknown;
}

function hasDefault({ version }: Decision, given: readonly GivenProfile[]): boolean {
  return given.some(({ key }) => key.name === undefined && (key.version ?? version) === version);
}

const noNames: ReadonlyMap<string, Decision> = new Map();

function bindAll(
  decision: Decision,
  given: readonly GivenProfile[],
  report: (path: string, message: string) => void,
): Bound {
  const own = new Map<string | undefined, GivenProfile>();
  for (const profile of given) {
    const { name, version } = profile.key;
    if (version === decision.version || (version === undefined && !own.has(name))) own.set(name, profile);
  }
  let standard = decision;
  const named = new Map<string, Decision>();
  for (const [name, { path, profile }] of own) {
    try {
      const bound = withProfile(decision, profile);
      if (name === undefined) standard = bound;
      else named.set(name, bound);
    } catch (error) {
      if (!(error instanceof DecernError)) throw error;
      for (const problem of error.problems) report(path + problem.path, problem.message);
    }
  }
  return { standard, named: named.size === 0 ? noNames : named };
}

function profilePath(key: string): string {
  return `/profiles/${escapePointer(key)}`;
}

/**
 * One call, for choosing its profile.
 *
 * @typeParam Name - the names of profiles, where they are known
 */
export interface ProfileCall<Caller extends Identity = Identity, Name extends string = string> {
  readonly decisionId: string;
  readonly decisionVersion: string;
  /** How that version was chosen: `path` where the caller named it. */
  readonly selectedBy: SelectedBy;
  readonly caller: string | undefined;
  readonly request: RequestView<Caller> | undefined;
  /**
   * A named profile of this decision: `strict` is the one under `"<id>#strict"` in `profiles`.
   *
   * @throws DecernError `INTERNAL_ERROR` when there is none of that name
   */
  named(name: Name): unknown;
}

/**
 * Chooses the host's profile for one call, such as that of a tenant. `undefined` takes the default profile. A profile that
 * breaks its schema is the host's error.
 */
export type ProfileResolver<Caller extends Identity = Identity, Name extends string = string> = (
  call: ProfileCall<Caller, Name>,
) => Awaitable<unknown>;

/**
 * How a profile in a call goes together with the host's: it replaces it, or it is merged into it (RFC 7396), or no call may
 * carry one.
 */
export type ProfileOverride = "replace" | "merge" | false;

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
