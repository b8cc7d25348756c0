import type { Decision, UsedRecord } from "@decern/core";
import { type Catalogue, defaultProfile } from "@decern/core/host";
import { profileHash } from "./profile-hash.js";
import { everyUsed, revisionKey, usedDecisions } from "./used-decisions.js";

/** A version with one of its profiles. */
export interface BoundVersion {
  readonly decision: Decision;
  readonly profileHash: string;
}

/** One version of the candidate, with its profiles. */
export class ComparedVersion {
  /** Without a profile of the candidate's. */
  readonly decision: Decision;
  readonly profiles: Catalogue["profiles"];
  readonly #standard: BoundVersion;
  readonly #named = new Map<string, BoundVersion>();
  /** Hashes of the profiles of what it uses. */
  readonly #used = new Map<string, string>();

  constructor(decision: Decision, catalogue: Catalogue) {
    const { profiles } = catalogue;
    this.decision = decision;
    this.profiles = profiles;
    this.#standard = bound(catalogue.bind(decision));
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

  /** With its profile for a call. A record does not name the profile, so one that is as recorded is the one that was named. */
  for(recordedHash: string): BoundVersion {
    if (recordedHash === this.#standard.profileHash) return this.#standard;
    return this.#named.get(recordedHash) ?? this.#standard;
  }

  /** Whether it would use the same versions under the same profiles. */
  usesTheSame(used: readonly UsedRecord[] | undefined): boolean {
    return everyUsed(used, (one) => this.#used.get(revisionKey(one)) === one.profileHash);
  }
}

function bound(decision: Decision): BoundVersion {
  return { decision, profileHash: profileHash(defaultProfile(decision)) };
}
