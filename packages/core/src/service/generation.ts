import type { ErrorCode, Problem } from "../base/errors.js";
import { escapePointer } from "../base/json.js";
import type { Decision, ProfileLookup } from "../decision/decision.js";
import { usedBy } from "../decision/describe.js";
import type { Revisions, SetCandidate } from "./generation-source.js";
import { type BoundProfiles, missingProfile } from "./profiles.js";
import { Served, type ServedPolicies, type ServedVersion } from "./versions.js";

/** What a path names: an id, maybe with one of its versions, in one generation. */
export interface Target {
  readonly generation: Generation;
  readonly served: Served;
  /** The version that the path names, if it names one. */
  readonly pinned: ServedVersion | undefined;
  /** When it was chosen, in milliseconds since the Unix epoch. Present while a later generation waits for its instant. */
  readonly chosenAtMs?: number | undefined;
}

/** Why a path names nothing that is served. */
export type MissingCode = ErrorCode &
  ("DECISION_NOT_FOUND" | "VERSION_NOT_FOUND" | "VERSION_RETIRED" | "DECISIONS_NOT_LOADED");

/** One id, and what the options say about it. */
export interface Entry {
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

  /** Everything that calls can reach, and shadows, whose profiles are given alongside. */
  get served(): Pick<SetCandidate, "decisions" | "versions"> {
    const { entries } = this.set;
    const candidates = entries.flatMap(({ policies: { shadow } }) => shadow?.candidate ?? []);
    const all = [...entries.flatMap(({ versions }) => versions), ...candidates];
    const defaults = [...this.decisions.values()].map(
      ({ id, standard }) => [id, { default: standard.decision.version }] as const,
    );
    return {
      decisions: [...new Map(all.map((one) => [`${one.id}@${one.version}`, one] as const)).values()],
      versions: Object.fromEntries(defaults),
    };
  }

  /** A decision with its default profile. */
  bind(decision: Decision): Decision {
    return this.profiles?.bind(decision) ?? decision;
  }

  profileOf(decision: Decision): unknown {
    return this.profiles?.profileOf(decision);
  }
}
