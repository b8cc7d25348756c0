import { DecernError, type ErrorCode, type Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json-schema.js";
import { type Decision, isDecision, type ProfileLookup, whyNoDecision } from "../decision/decision.js";
import { usedBy } from "../decision/describe.js";
import { missingProfile, readOffered } from "./catalogue-problems.js";
import type { Revisions } from "./generation-source.js";
import { type BoundProfiles, checkProfiles } from "./profiles.js";
import { checkShadows } from "./shadow.js";
import type { VersionPolicy } from "./version-policy.js";
import { readVersions, Served, type ServedPolicies, type ServedVersion } from "./versions.js";

/** What a path names: an id, maybe with one of its versions, in one generation. */
export interface Target {
  readonly generation: Generation;
  readonly served: Served;
  /** The version that the path names, if it names one. */
  readonly pinned: ServedVersion | undefined;
}

/** Why a path names nothing that is served. */
export type MissingCode = ErrorCode &
  ("DECISION_NOT_FOUND" | "VERSION_NOT_FOUND" | "VERSION_RETIRED" | "DECISIONS_NOT_LOADED");

/** One id, and what the options say about it. */
interface Entry {
  readonly id: string;
  readonly versions: readonly [Decision, ...Decision[]];
  readonly policies: ServedPolicies;
}

/** Decisions with their policies, checked together. Profiles come and go; this stays as it is. */
export class DecisionSet {
  readonly entries: readonly Entry[];
  /** Every version and candidate, and everything that they use. */
  readonly all: readonly Decision[];
  /** What others use: no call brings a profile for it. */
  readonly used: ReadonlySet<Decision>;
  /** Ids of decisions that a source has not loaded yet. */
  readonly awaited: readonly string[];

  constructor(entries: readonly Entry[], awaited: readonly string[] = []) {
    const decisions = entries.flatMap(({ versions }) => versions);
    const candidates = entries.flatMap(({ policies: { shadow } }) => shadow?.candidate ?? []);
    this.entries = entries;
    this.awaited = awaited;
    this.used = usedBy([...decisions, ...candidates]);
    this.all = [...new Set([...decisions, ...candidates, ...this.used])];
  }
}

/**
 * Decisions and profiles as they are at one time, with everything chosen that does not depend on a call. It never changes: a
 * request, a list and a file job each read one from start to end.
 */
export class Generation implements ProfileLookup {
  /** The same for all generations that differ in profiles only. */
  readonly set: DecisionSet;
  /** `undefined` until a source has loaded its first set: ids are known, and nothing can be evaluated. */
  readonly profiles: BoundProfiles | undefined;
  /** By id. */
  readonly decisions: ReadonlyMap<string, Served>;
  readonly revisions: Revisions;
  /** What a service of one decision evaluates. */
  readonly only: Target | MissingCode;

  constructor(set: DecisionSet, profiles: BoundProfiles | undefined, revisions: Revisions = {}) {
    this.set = set;
    this.profiles = profiles;
    this.revisions = revisions;
    this.decisions = new Map(
      set.entries.map(
        ({ id, versions, policies }) => [id, new Served(versions, policies, profiles)] as const,
      ),
    );
    const [served] = this.decisions.values();
    this.only =
      served === undefined
        ? this.#whyMissing(set.awaited[0])
        : { generation: this, served, pinned: undefined };
  }

  /** Every id that callers can name, whether or not its decision is loaded. */
  get ids(): readonly string[] {
    return [...this.decisions.keys(), ...this.set.awaited];
  }

  /** Why nothing can be evaluated. */
  get notLoaded(): ErrorCode | undefined {
    if (this.set.awaited.length > 0) return "DECISIONS_NOT_LOADED";
    return this.profiles === undefined ? "PROFILES_NOT_LOADED" : undefined;
  }

  #whyMissing(id: string | undefined): MissingCode {
    return id !== undefined && this.set.awaited.includes(id) ? "DECISIONS_NOT_LOADED" : "DECISION_NOT_FOUND";
  }

  get(id: string): Served | undefined {
    return this.decisions.get(id);
  }

  /** What is wrong where a decision, one that is used for example, cannot be evaluated with the profile that it has here. */
  missing(decision: Decision): readonly Problem[] {
    return missingProfile(this.bind(decision), `/profiles/${escapePointer(decision.id)}`);
  }

  /**
   * Finds what a path names.
   *
   * @param version - decoded. @default whichever the id's policy takes
   * @returns the code of the reply where there is no such thing
   */
  find(id: string, version?: string): Target | MissingCode {
    const served = this.decisions.get(id);
    if (served === undefined) return this.#whyMissing(id);
    if (version === undefined) return { generation: this, served, pinned: undefined };
    const pinned = served.versions.get(version);
    if (pinned !== undefined) return { generation: this, served, pinned };
    return served.retired.has(version) ? "VERSION_RETIRED" : "VERSION_NOT_FOUND";
  }

  /** Every version that callers can reach. */
  get versions(): readonly Decision[] {
    return [...this.decisions.values()].flatMap(({ versions }) =>
      [...versions.values()].map(({ decision }) => decision),
    );
  }

  /** The default version of each decision, with its default profile. */
  get defaults(): readonly Decision[] {
    return [...this.decisions.values()].map(({ choice }) => choice.decision);
  }

  /** A decision with its default profile. */
  bind(decision: Decision): Decision {
    return this.profiles?.bind(decision) ?? decision;
  }

  profileOf(decision: Decision): unknown {
    return this.profiles?.profileOf(decision);
  }
}

/** What a service is given. JavaScript callers may give anything. */
export interface SetOptions {
  readonly decisions?: unknown;
  /** By `id`, `id@version`, `id#name` and `id@version#name`; `undefined` where they are to be loaded later. */
  readonly profiles?: unknown;
  /** By id. */
  readonly versions?: unknown;
  /** By id. */
  readonly shadow?: unknown;
  /** Names of profiles that callers may choose, by id. */
  readonly callerProfiles?: unknown;
}

/** A generation, and everything that is wrong with it. Where something is, it is not to be used. */
export interface CheckedGeneration {
  readonly generation: Generation;
  readonly problems: readonly Problem[];
  /** Decisions that were given no profile, and the path where it would be given. */
  readonly withoutProfile: readonly { readonly decision: Decision; readonly path: string }[];
}

/** Decisions with their policies, and everything that is wrong with them. */
interface CheckedSet {
  readonly set: DecisionSet;
  readonly problems: readonly Problem[];
}

/** @param awaited - ids of decisions that are loaded later, and checked then. @default none */
export function checkSet(options: Omit<SetOptions, "profiles">, awaited: readonly string[] = []): CheckedSet {
  const { decisions, problems } = checkDecisions(options.decisions, awaited);
  const groups = new Map<string, [Decision, ...Decision[]]>();
  for (const decision of decisions) {
    const group = groups.get(decision.id);
    if (group === undefined) groups.set(decision.id, [decision]);
    else group.push(decision);
  }
  const numbers = new Map([...groups].map(([id, list]) => [id, list.map(({ version }) => version)] as const));
  const versions = readVersions(options.versions, numbers, awaited);
  const shadows = checkShadows(without(options.shadow, awaited), groups);
  const offers = readOffered(without(options.callerProfiles, awaited), groups);
  const entries = [...groups].map(([id, list]): Entry => {
    const policy = Object.hasOwn(versions.policies, id) ? versions.policies[id] : undefined;
    const offered = Object.hasOwn(offers.offered, id) ? offers.offered[id] : undefined;
    return { id, versions: list, policies: { policy, shadow: shadows.shadows.get(id), offered } };
  });
  return {
    set: new DecisionSet(entries, awaited),
    problems: [...problems, ...versions.problems, ...shadows.problems, ...offers.problems],
  };
}

function without(byId: unknown, ids: readonly string[]): unknown {
  if (ids.length === 0 || !isJsonObject(byId)) return byId;
  return Object.fromEntries(Object.entries(byId).filter(([id]) => !ids.includes(id)));
}

/** @param profiles - `undefined` where there are none */
export function bindSet(
  set: DecisionSet,
  profiles: unknown,
  revisions?: Revisions | undefined,
): CheckedGeneration {
  const checked = checkProfiles(set.all, profiles, revisions);
  const generation = new Generation(set, checked.set, revisions);
  return {
    generation,
    problems: [...checked.problems, ...missingOffered(generation)],
    withoutProfile: checked.withoutProfile,
  };
}

/** @param awaits - what is loaded later. @default nothing */
export function checkGeneration(
  options: SetOptions,
  {
    decisions = [],
    profiles = false,
  }: { readonly decisions?: readonly string[]; readonly profiles?: boolean } = {},
): CheckedGeneration {
  const { set, problems } = checkSet(options, decisions);
  if (profiles || decisions.length > 0)
    return { generation: new Generation(set, undefined), problems, withoutProfile: [] };
  const bound = bindSet(set, options.profiles);
  return { ...bound, problems: [...problems, ...bound.problems] };
}

/**
 * Makes a generation out of decisions that are there, as tools do.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function createGeneration(
  decisions: readonly Decision[],
  profiles?: Readonly<Record<string, unknown>>,
  versions?: Readonly<Record<string, VersionPolicy | undefined>>,
): Generation {
  const { generation, problems } = checkGeneration({ decisions, profiles, versions });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return generation;
}

/** Finds profiles that callers may choose, and that some version does not have. */
function missingOffered({ decisions, profiles }: Generation): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { id, offered, versions } of decisions.values()) {
    for (const name of offered) {
      for (const { decision } of versions.values()) {
        if (profiles?.bindNamed(decision, name) !== undefined) continue;
        const path = `/callerProfiles/${escapePointer(id)}`;
        const message = `"${name}" needs a profile "${id}#${name}", for version ${decision.version}`;
        problems.push({ path, message });
      }
    }
  }
  return problems;
}

function checkDecisions(
  given: unknown,
  awaited: readonly string[],
): {
  readonly decisions: readonly Decision[];
  readonly problems: readonly Problem[];
} {
  if (!Array.isArray(given))
    return { decisions: [], problems: [{ path: "/decisions", message: "must be a list" }] };
  const problems: Problem[] = [];
  const decisions: Decision[] = [];
  const seen = new Set<string>();
  const list: readonly unknown[] = given;
  for (const [index, decision] of list.entries()) {
    const path = `/decisions/${index}`;
    if (!isDecision(decision)) {
      problems.push({ path, message: whyNoDecision(decision) });
    } else if (awaited.includes(decision.id)) {
      problems.push({ path, message: `"${decision.id}" is the id of a contract too` });
    } else if (seen.has(`${decision.id}@${decision.version}`)) {
      const message = `"${decision.id}" is the id of an earlier decision of the same version, ${decision.version}`;
      problems.push({ path, message });
    } else {
      seen.add(`${decision.id}@${decision.version}`);
      decisions.push(decision);
    }
  }
  return { decisions, problems };
}
