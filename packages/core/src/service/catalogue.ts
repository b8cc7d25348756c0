import { DecernError, type Problem } from "../base/errors.js";
import { type Decision, isDecision } from "../decision/decision.js";
import { usedBy } from "../decision/describe.js";
import {
  areOffered,
  facadeProblems,
  missingOffered,
  missingProfile,
  offeredProblems,
} from "./catalogue-problems.js";
import type { ProfileDocument, ProfileWatch } from "./profile-source.js";
import { type BoundProfiles, checkProfiles } from "./profiles.js";
import { checkShadows } from "./shadow.js";
import type { VersionPolicy } from "./version-policy.js";
import { areVersions, HostedDecision, versionProblems } from "./versions.js";

/** Profiles that are used from an instant on. */
interface Scheduled {
  readonly set: BoundProfiles;
  /** In milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** The decisions of a host, with their versions and profiles. */
export class Catalogue {
  /** By id. */
  readonly decisions: ReadonlyMap<string, HostedDecision>;
  /** Every version and candidate, and everything that they use. */
  readonly #all: readonly Decision[];
  #profiles: BoundProfiles | undefined;
  /** Those that come next. */
  #scheduled: Scheduled | undefined;
  #watch: ProfileWatch | undefined;

  constructor(
    decisions: ReadonlyMap<string, HostedDecision>,
    all: readonly Decision[],
    profiles: BoundProfiles | undefined,
  ) {
    this.decisions = decisions;
    this.#all = all;
    this.#profiles = profiles;
  }

  /** The profiles in use. A request reads this once. `undefined` until a watched source has loaded its first set. */
  get profiles(): BoundProfiles | undefined {
    if (this.#scheduled !== undefined) this.#takeDue(this.#scheduled);
    return this.#profiles;
  }

  get(id: string): HostedDecision | undefined {
    return this.decisions.get(id);
  }

  /** Every version that callers can reach. */
  get served(): readonly Decision[] {
    return [...this.decisions.values()].flatMap(({ versions }) =>
      [...versions.values()].map(({ decision }) => decision),
    );
  }

  /** The default version of each decision, with its default profile. */
  get defaults(): readonly Decision[] {
    return [...this.decisions.values()].map(({ standard }) => this.bind(standard.decision));
  }

  /** A decision with its default profile. */
  bind(decision: Decision): Decision {
    return this.profiles?.bind(decision) ?? decision;
  }

  /**
   * Replaces all profiles together, now or at the instant that the set names.
   *
   * @param mayLack - whether calls may bring the profiles that are missing. None brings that of a decision that others use, and
   *   callers do not expect to where there has been one
   * @returns the profiles that calls have to bring
   * @throws DecernError `INVALID_OPTIONS` with every problem; what was accepted before stays
   */
  acceptProfiles(
    { profiles, revision, activateAtMs }: ProfileDocument,
    mayLack: boolean,
  ): readonly Problem[] {
    const { set, problems, withoutProfile } = checkProfiles(this.#all, profiles, revision);
    const used = usedBy(this.#all);
    // The one that waited may be due, and is then used until the new one is.
    const before = this.profiles ?? this.#scheduled?.set;
    const missing: Problem[] = [];
    const left: Problem[] = [];
    for (const { decision, path } of withoutProfile) {
      const isNeeded = !mayLack || used.has(decision) || before?.profileOf(decision) !== undefined;
      (isNeeded ? missing : left).push(...missingProfile(decision, path));
    }
    const all = [...problems, ...missing, ...missingOffered(this.decisions.values(), set)];
    if (all.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "profiles", problems: all });
    this.#scheduled = undefined;
    if (activateAtMs !== undefined && Date.now() < activateAtMs)
      this.#scheduled = { set, atMs: activateAtMs };
    else this.#profiles = set;
    return left;
  }

  /** Not by a timer, which comes late when the process is busy: all processes of a fleet change at the same instant. */
  #takeDue({ set, atMs }: Scheduled): void {
    if (Date.now() < atMs) return;
    this.#profiles = set;
    this.#scheduled = undefined;
  }

  /** Keeps what loads the profiles, to be stopped with the host. */
  follow(watch: ProfileWatch): void {
    this.#watch = watch;
  }

  /** Loads no more profiles. Those in use stay. */
  async stop(): Promise<void> {
    await this.#watch?.stop();
  }
}

/** What a host is given. JavaScript callers may give anything. */
export interface CatalogueOptions {
  readonly decisions?: unknown;
  /** By `id`, `id@version`, `id#name` and `id@version#name`; `undefined` where they are to be loaded later. */
  readonly profiles?: unknown;
  /** By id. */
  readonly versions?: unknown;
  /** By id. */
  readonly shadow?: unknown;
  /** Names of profiles that callers may choose, by id. */
  readonly callerProfiles?: unknown;
  readonly facades?: unknown;
}

/** A catalogue, and everything that is wrong with it. Where something is, it is not to be used. */
export interface CheckedCatalogue {
  readonly catalogue: Catalogue;
  readonly problems: readonly Problem[];
  /** Decisions that were given no profile. */
  readonly withoutProfile: readonly WithoutProfile[];
}

/** A decision that was given no profile. */
interface WithoutProfile {
  readonly decision: Decision;
  /** Where it would be given. */
  readonly path: string;
  /** Whether others use it. Then no call can bring its profile. */
  readonly isUsed: boolean;
}

/** @param loaded - whether the profiles are there already. @default true */
export function checkCatalogue(options: CatalogueOptions, loaded = true): CheckedCatalogue {
  const { profiles, versions } = options;
  const { decisions, problems } = checkDecisions(options.decisions);
  const groups = new Map<string, [Decision, ...Decision[]]>();
  for (const decision of decisions) {
    const group = groups.get(decision.id);
    if (group === undefined) groups.set(decision.id, [decision]);
    else group.push(decision);
  }
  const served = new Map([...groups].map(([id, list]) => [id, list.map(({ version }) => version)] as const));
  const wrongVersions = versionProblems(versions, served);
  const policies = areVersions(versions, wrongVersions) ? versions : {};
  const shadows = checkShadows(options.shadow, groups);
  const wrongOffered = offeredProblems(options.callerProfiles, groups);
  const offers = areOffered(options.callerProfiles, wrongOffered) ? options.callerProfiles : {};
  const hosted = new Map(
    [...groups].map(([id, list]) => {
      const policy = Object.hasOwn(policies, id) ? policies[id] : undefined;
      const offered = Object.hasOwn(offers, id) ? offers[id] : undefined;
      return [id, new HostedDecision(list, { policy, shadow: shadows.shadows.get(id), offered })] as const;
    }),
  );
  const candidates = [...shadows.shadows.values()].map(({ candidate }) => candidate);
  const used = usedBy([...decisions, ...candidates]);
  const all = [...new Set([...decisions, ...candidates, ...used])];
  const checked = checkProfiles(all, loaded ? profiles : {});
  return {
    catalogue: new Catalogue(hosted, all, loaded ? checked.set : undefined),
    problems: [
      ...problems,
      ...wrongVersions,
      ...shadows.problems,
      ...wrongOffered,
      ...facadeProblems(options.facades, hosted),
      ...checked.problems,
      ...(loaded ? missingOffered(hosted.values(), checked.set) : []),
    ],
    withoutProfile: loaded
      ? checked.withoutProfile.map((found) => ({ ...found, isUsed: used.has(found.decision) }))
      : [],
  };
}

/**
 * Makes the catalogue of a host.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function createCatalogue(
  decisions: readonly Decision[],
  profiles?: Readonly<Record<string, unknown>>,
  versions?: Readonly<Record<string, VersionPolicy | undefined>>,
): Catalogue {
  const { catalogue, problems } = checkCatalogue({ decisions, profiles, versions });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return catalogue;
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
