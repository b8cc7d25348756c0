import { DecernError, type Decision, type DecisionRecord, type UsedRecord, withProfile } from "@decern/core";
import type { EarlierCall } from "@decern/core/tools";
import type { RecordedProfiles } from "./recorded-profiles.js";
import { everyUsed, revisionKey, usedDecisions } from "./used-decisions.js";

/** Most profiles that one version is kept with. */
const maxBound = 200;

/** A decision, and the profile to give it; `undefined` where it has its own. */
export interface ProfiledDecision {
  readonly decision: Decision;
  readonly profile: unknown;
}

/** A version that records were made with. */
export class Control {
  readonly decision: Decision;
  readonly #used: ReadonlyMap<string, Decision>;
  readonly #bound = new Map<string, ProfiledDecision>();

  constructor(decision: Decision) {
    this.decision = decision;
    this.#used = usedDecisions(decision);
  }

  /** Whether it uses the versions that a record says were used. */
  uses(used: readonly UsedRecord[] | undefined): boolean {
    return everyUsed(used, (one) => this.#used.has(revisionKey(one)));
  }

  /** With a host's profile: it is validated once, as on a host. */
  under(hash: string, profile: unknown): ProfiledDecision {
    const known = this.#bound.get(hash);
    if (known !== undefined) return known;
    const bound = bind(this.decision, profile);
    if (this.#bound.size === maxBound) this.#bound.clear();
    this.#bound.set(hash, bound);
    return bound;
  }
}

/** The versions for control runs. */
export class Controls {
  readonly #byRevision: ReadonlyMap<string, ReadonlyMap<string, Control>>;

  constructor(decisions: readonly Decision[]) {
    const byId = new Map<string, Map<string, Control>>();
    for (const decision of decisions) {
      const versions = byId.get(decision.id) ?? new Map<string, Control>();
      versions.set(decision.version, new Control(decision));
      byId.set(decision.id, versions);
    }
    this.#byRevision = byId;
  }

  /** The version of a record; `undefined` where it is not at hand. */
  of({ decision }: DecisionRecord): Control | undefined {
    return this.#byRevision.get(decision.id)?.get(decision.version);
  }
}

/** The profiles of what a record says was used. */
export function recordedLookup(
  used: readonly UsedRecord[] | undefined,
  profiles: RecordedProfiles,
): EarlierCall["profiles"] {
  if (used === undefined) return undefined;
  const hashes = new Map<string, string>();
  everyUsed(used, (one) => {
    hashes.set(revisionKey(one), one.profileHash);
    return true;
  });
  return {
    profileOf(decision) {
      const hash = hashes.get(revisionKey(decision));
      return hash === undefined ? undefined : profiles.get(hash)?.profile;
    },
  };
}

function bind(decision: Decision, profile: unknown): ProfiledDecision {
  try {
    const bound = withProfile<unknown, unknown, unknown, string, readonly Decision[]>(decision, profile);
    return { decision: bound, profile: undefined };
  } catch (thrown) {
    if (!(thrown instanceof DecernError)) throw thrown;
    // It breaks its schema: then the envelope says so.
    return { decision, profile };
  }
}
