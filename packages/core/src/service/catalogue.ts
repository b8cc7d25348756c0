import { DecernError, type ErrorCode, type Problem } from "../base/errors.js";
import { escapePointer } from "../base/json-schema.js";
import { type Decision, isDecision, type ProfileLookup } from "../decision/decision.js";
import { usedBy } from "../decision/describe.js";
import { missingProfile, readOffered } from "./catalogue-problems.js";
import type { ProfileDocument, ProfileWatch } from "./profile-source.js";
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
export type MissingCode = ErrorCode & ("DECISION_NOT_FOUND" | "VERSION_NOT_FOUND" | "VERSION_RETIRED");

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

  constructor(entries: readonly Entry[]) {
    const decisions = entries.flatMap(({ versions }) => versions);
    const candidates = entries.flatMap(({ policies: { shadow } }) => shadow?.candidate ?? []);
    this.entries = entries;
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

  constructor(set: DecisionSet, profiles: BoundProfiles | undefined) {
    this.set = set;
    this.profiles = profiles;
    this.decisions = new Map(
      set.entries.map(
        ({ id, versions, policies }) => [id, new Served(versions, policies, profiles)] as const,
      ),
    );
  }

  get(id: string): Served | undefined {
    return this.decisions.get(id);
  }

  /**
   * Finds what a path names.
   *
   * @param version - decoded. @default whichever the id's policy takes
   * @returns the code of the reply where there is no such thing
   */
  find(id: string, version?: string): Target | MissingCode {
    const served = this.decisions.get(id);
    if (served === undefined) return "DECISION_NOT_FOUND";
    if (version === undefined) return { generation: this, served, pinned: undefined };
    const pinned = served.versions.get(version);
    if (pinned !== undefined) return { generation: this, served, pinned };
    return served.retired.has(version) ? "VERSION_RETIRED" : "VERSION_NOT_FOUND";
  }

  /** What a service of one decision evaluates. */
  get only(): Target {
    for (const served of this.decisions.values()) return { generation: this, served, pinned: undefined };
    throw new DecernError("DECISION_NOT_FOUND");
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

/** A generation that is used from an instant on. */
interface Scheduled {
  readonly generation: Generation;
  /** In milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** The generation that a service evaluates with, and the one that comes next. */
export class Catalogue {
  #current: Generation;
  #next: Scheduled | undefined;
  #watch: ProfileWatch | undefined;

  constructor(first: Generation) {
    this.#current = first;
  }

  /** The generation in use. Whatever has to be of one piece reads it once. */
  get current(): Generation {
    if (this.#next !== undefined) this.#takeDue(this.#next);
    return this.#current;
  }

  /**
   * Replaces all profiles together, now or at the instant that the set names.
   *
   * @param mayLack - whether calls may bring the profiles that are missing. None brings that of a decision that others use, and
   *   callers do not expect to where there has been one
   * @returns the profiles that calls have to bring
   * @throws DecernError `INVALID_OPTIONS` with every problem; what was accepted before stays
   */
  accept({ profiles, revision, activateAtMs }: ProfileDocument, mayLack: boolean): readonly Problem[] {
    const { set } = this.current;
    const checked = checkProfiles(set.all, profiles, revision);
    // The one that waited may be due, and is then used until the new one is.
    const before = this.current.profiles ?? this.#next?.generation.profiles;
    const missing: Problem[] = [];
    const left: Problem[] = [];
    for (const { decision, path } of checked.withoutProfile) {
      const isNeeded = !mayLack || set.used.has(decision) || before?.profileOf(decision) !== undefined;
      (isNeeded ? missing : left).push(...missingProfile(decision, path));
    }
    const generation = new Generation(set, checked.set);
    const problems = [...checked.problems, ...missing, ...missingOffered(generation)];
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "profiles", problems });
    this.#next = undefined;
    if (activateAtMs !== undefined && Date.now() < activateAtMs)
      this.#next = { generation, atMs: activateAtMs };
    else this.#current = generation;
    return left;
  }

  /** Not by a timer, which comes late when the process is busy: all processes of a fleet change at the same instant. */
  #takeDue({ generation, atMs }: Scheduled): void {
    if (Date.now() < atMs) return;
    this.#current = generation;
    this.#next = undefined;
  }

  /** Keeps what loads the generations, to be stopped with the service. */
  follow(watch: ProfileWatch): void {
    this.#watch = watch;
  }

  /** Loads no more. What is in use stays. */
  async stop(): Promise<void> {
    await this.#watch?.stop();
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

/** @param loaded - whether the profiles are there already. @default true */
export function checkGeneration(options: SetOptions, loaded = true): CheckedGeneration {
  const { decisions, problems } = checkDecisions(options.decisions);
  const groups = new Map<string, [Decision, ...Decision[]]>();
  for (const decision of decisions) {
    const group = groups.get(decision.id);
    if (group === undefined) groups.set(decision.id, [decision]);
    else group.push(decision);
  }
  const numbers = new Map([...groups].map(([id, list]) => [id, list.map(({ version }) => version)] as const));
  const versions = readVersions(options.versions, numbers);
  const shadows = checkShadows(options.shadow, groups);
  const offers = readOffered(options.callerProfiles, groups);
  const entries = [...groups].map(([id, list]): Entry => {
    const policy = Object.hasOwn(versions.policies, id) ? versions.policies[id] : undefined;
    const offered = Object.hasOwn(offers.offered, id) ? offers.offered[id] : undefined;
    return { id, versions: list, policies: { policy, shadow: shadows.shadows.get(id), offered } };
  });
  const set = new DecisionSet(entries);
  const checked = checkProfiles(set.all, loaded ? options.profiles : {});
  const generation = new Generation(set, loaded ? checked.set : undefined);
  return {
    generation,
    problems: [
      ...problems,
      ...versions.problems,
      ...shadows.problems,
      ...offers.problems,
      ...checked.problems,
      ...(loaded ? missingOffered(generation) : []),
    ],
    withoutProfile: loaded ? checked.withoutProfile : [],
  };
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

function checkDecisions(given: unknown): {
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
      problems.push({ path, message: "is not a decision; make it with defineDecision" });
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
