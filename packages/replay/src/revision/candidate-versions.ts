import { hash } from "node:crypto";
import { DecernError, type Decision, type DecisionRecord, type Problem, type UsedRecord } from "@decern/core";
import { escapePointer } from "@decern/core/schema";
import { canonicalForm, defaultProfile, type Generation, missingProfile, usedBy } from "@decern/core/tools";

/** The hash of a profile, as records have it. */
function profileHash(profile: unknown): string {
  return `sha256:${hash("sha256", canonicalForm(profile) ?? "null")}`;
}

/** Everything that a decision uses, at every depth, by {@link revisionKey}. */
export function usedDecisions(decision: Decision): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  for (const used of usedBy([decision])) {
    const key = revisionKey(used);
    if (!found.has(key)) found.set(key, used);
  }
  return found;
}

/** Whether a test holds for everything that a record says was used, at every depth. */
export function everyUsed(
  used: readonly UsedRecord[] | undefined,
  test: (used: UsedRecord) => boolean,
): boolean {
  return used === undefined || used.every((one) => test(one) && everyUsed(one.used, test));
}

export function revisionKey({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}

/** A version with one of its profiles. */
export interface BoundVersion {
  readonly decision: Decision;
  readonly profileHash: string;
}

/** One version of the candidate, with its profiles. */
export class ComparedVersion {
  /** Without a profile of the candidate's. */
  readonly decision: Decision;
  readonly profiles: Generation["profiles"];
  readonly #standard: BoundVersion;
  readonly #named = new Map<string, BoundVersion>();
  /** What is wrong with the profile of a call that names none. */
  readonly #missing: readonly Problem[];
  /** Hashes of the profiles of what it uses. */
  readonly #used = new Map<string, string>();

  constructor(decision: Decision, catalogue: Generation) {
    const { profiles } = catalogue;
    this.decision = decision;
    this.profiles = profiles;
    this.#standard = bound(catalogue.bind(decision));
    this.#missing = missingProfile(this.#standard.decision, profilePath(decision));
    for (const name of profiles?.namesOf(decision) ?? []) {
      const named = profiles?.bindNamed(decision, name);
      if (named === undefined) continue;
      const version = bound(named);
      this.#named.set(version.profileHash, version);
    }
    for (const [key, used] of usedDecisions(decision)) {
      this.#used.set(key, profileHash(profiles?.profileOf(used) ?? defaultProfile(used)));
    }
  }

  /**
   * With its profile for a call. A record does not name the profile, so one that is as recorded is the one that was named.
   *
   * @throws DecernError `INVALID_OPTIONS` where the call was evaluated under a host's profile, and the candidate has none
   */
  for({ profileHash: recordedHash, status, payload }: DecisionRecord): BoundVersion {
    const named = recordedHash === this.#standard.profileHash ? undefined : this.#named.get(recordedHash);
    if (named !== undefined || this.#missing.length === 0) return named ?? this.#standard;
    // A host may leave profiles to its callers, and refuses calls without one.
    const isOwn = payload !== null && Object.hasOwn(payload, "profile");
    if (isOwn || status === "INVALID_PROFILE" || status === "INVALID_INPUT") return this.#standard;
    throw invalidCandidate(this.#missing);
  }

  /** Whether it would use the same versions under the same profiles. */
  usesTheSame(used: readonly UsedRecord[] | undefined): boolean {
    return everyUsed(used, (one) => this.#used.get(revisionKey(one)) === one.profileHash);
  }
}

/**
 * Checks that what the candidate's decisions use can be evaluated: no call brings a profile for it.
 *
 * @throws DecernError `INVALID_OPTIONS` with every profile that is missing
 */
export function checkUsedProfiles({ decisions, profiles }: Generation): void {
  const versions = [...decisions.values()].flatMap((hosted) => [...hosted.versions.values()]);
  const used = new Map(versions.flatMap(({ decision }) => [...usedDecisions(decision)]));
  const missing = [...used.values()].flatMap((decision) =>
    missingProfile(profiles?.bind(decision) ?? decision, profilePath(decision)),
  );
  if (missing.length > 0) throw invalidCandidate(missing);
}

function profilePath({ id }: Decision): string {
  return `/profiles/${escapePointer(id)}`;
}

function invalidCandidate(problems: readonly Problem[]): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "replay: candidate", problems });
}

function bound(decision: Decision): BoundVersion {
  return { decision, profileHash: profileHash(defaultProfile(decision)) };
}

/** The versions of a candidate, by what a record says. */
export class CandidateVersions {
  readonly #catalogue: Generation;
  readonly #compared = new Map<Decision, ComparedVersion>();

  constructor(catalogue: Generation) {
    this.#catalogue = catalogue;
  }

  /**
   * The version that a call is compared with: the one that its path or `select` chose, if the candidate has it, else the default.
   *
   * @returns `undefined` where the candidate does not have the decision
   */
  of({ decision, selectedBy }: DecisionRecord): ComparedVersion | undefined {
    const hosted = this.#catalogue.get(decision.id);
    if (hosted === undefined) return undefined;
    const isChosen = selectedBy === "path" || selectedBy === "select";
    const chosen = isChosen ? hosted.versions.get(decision.version) : undefined;
    return this.#comparedOf((chosen ?? hosted.standard).decision);
  }

  /** The default version, if a call is compared with a different one. */
  defaultBeside(compared: ComparedVersion): ComparedVersion | undefined {
    const standard = this.#catalogue.get(compared.decision.id)?.standard.decision;
    return standard === undefined || standard === compared.decision ? undefined : this.#comparedOf(standard);
  }

  #comparedOf(decision: Decision): ComparedVersion {
    let compared = this.#compared.get(decision);
    if (compared === undefined) {
      compared = new ComparedVersion(decision, this.#catalogue);
      this.#compared.set(decision, compared);
    }
    return compared;
  }

  /** The candidate's ids, in order. */
  get ids(): readonly string[] {
    return [...this.#catalogue.decisions.keys()];
  }
}
