import {
  DecernError,
  type Decision,
  type DecisionLog,
  type DecisionRecord,
  type RecordPayload,
  type UsedRecord,
} from "@decern/core";
import { bindProfile, type Call, defaultProfile, lacksOwnProfile, withOwnProfile } from "@decern/core/tools";
import {
  type BoundVersion,
  type ComparedVersion,
  everyUsed,
  revisionKey,
  usedDecisions,
} from "./candidate-versions.js";

/** Most profiles that one version is kept with. */
const maxBound = 200;

/** A decision, and the profile to give it; `undefined` where it has its own. */
interface ProfiledDecision {
  readonly decision: Decision;
  readonly profile: unknown;
}

/** A version that records were made with. */
class Control {
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

  /** With a host's profile, which is validated once, as on a host. */
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

  /** The version of a record; `undefined` if the baseline does not have it. */
  of({ decision }: DecisionRecord): Control | undefined {
    return this.#byRevision.get(decision.id)?.get(decision.version);
  }
}

/** The profiles of what a record says was used. */
function recordedLookup(
  used: readonly UsedRecord[] | undefined,
  profiles: RecordedProfiles,
): Call["profiles"] {
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
    const bound = bindProfile(decision, profile);
    return { decision: bound, profile: undefined };
  } catch (thrown) {
    if (!(thrown instanceof DecernError)) throw thrown;
    // It breaks its schema: then the envelope says so.
    return { decision, profile };
  }
}

/** Most profiles that are kept. One record needs a few. */
const maxProfiles = 500;

/** The profiles of hosts, as records name them. */
export class RecordedProfiles {
  readonly #source: Pick<DecisionLog, "profile">;
  /** The least recently loaded first. */
  readonly #known = new Map<string, { readonly profile: unknown }>();

  constructor(source: Pick<DecisionLog, "profile">) {
    this.#source = source;
  }

  /** @returns `undefined` for one that was not loaded yet */
  get(hash: string): { readonly profile: unknown } | undefined {
    return this.#known.get(hash);
  }

  /** A profile that the records lack is `undefined`. */
  async load(hash: string): Promise<void> {
    const profile = await this.#source.profile(hash);
    const [oldest] = this.#known.keys();
    if (this.#known.size === maxProfiles && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, { profile });
  }
}

/** A profile that has to be loaded first. */
export class NeededProfile {
  readonly hash: string;

  constructor(hash: string) {
    this.hash = hash;
  }
}

/** An evaluation to be made. */
export interface PlannedRun extends ProfiledDecision {
  readonly profiles: Call["profiles"];
}

/** The evaluations that one record needs. */
export interface Plan {
  readonly candidate: PlannedRun;
  /** The recorded version, whatever it uses; absent where it is not at hand. */
  readonly recorded: Decision | undefined;
  /**
   * - `none`: the recorded revision is not at hand
   * - `same`: it is the candidate itself
   * - `lost`: a profile of it is not there any more
   */
  readonly control: PlannedRun | "none" | "same" | "lost";
}

/** Finds out what to evaluate. */
export class Planner {
  readonly #controls: Controls;
  readonly #profiles: RecordedProfiles;

  constructor(controls: Controls, profiles: RecordedProfiles) {
    this.#controls = controls;
    this.#profiles = profiles;
  }

  /** Puts a caller's profile that is kept apart back into its record, where the records have it. */
  complete(record: DecisionRecord): DecisionRecord | NeededProfile {
    if (!lacksOwnProfile(record)) return record;
    const known = this.#profiles.get(record.profileHash);
    return known === undefined
      ? new NeededProfile(record.profileHash)
      : withOwnProfile(record, known.profile);
  }

  /** @param compared - the version that the record is compared with */
  plan(record: DecisionRecord, payload: RecordPayload, compared: ComparedVersion): Plan | NeededProfile {
    const isOwn = Object.hasOwn(payload, "profile");
    const bound = compared.for(record);
    const profile = isOwn ? payload.profile : undefined;
    const candidate = { decision: bound.decision, profile, profiles: compared.profiles };
    const control = this.#controls.of(record);
    const recorded = control?.decision;
    if (control?.uses(payload.used) !== true) return { candidate, recorded, control: "none" };
    const isSame =
      control.decision === compared.decision &&
      (isOwn || bound.profileHash === record.profileHash) &&
      compared.usesTheSame(payload.used);
    if (isSame) return { candidate, recorded, control: "same" };
    const run = isOwn
      ? this.#run({ decision: control.decision, profile }, payload.used)
      : this.#runUnderHosts(control, record.profileHash, bound, payload.used);
    return run instanceof NeededProfile ? run : { candidate, recorded, control: run };
  }

  /** A control run under the profile that the host had. */
  #runUnderHosts(
    control: Control,
    hash: string,
    bound: BoundVersion,
    used: readonly UsedRecord[] | undefined,
  ): PlannedRun | "lost" | NeededProfile {
    const known =
      bound.profileHash === hash ? { profile: defaultProfile(bound.decision) } : this.#profiles.get(hash);
    if (known === undefined) return new NeededProfile(hash);
    if (known.profile === undefined) return "lost";
    return this.#run(control.under(hash, known.profile), used);
  }

  #run(
    { decision, profile }: ProfiledDecision,
    used: readonly UsedRecord[] | undefined,
  ): PlannedRun | "lost" | NeededProfile {
    let needed: string | undefined;
    let isLost = false;
    everyUsed(used, ({ profileHash }) => {
      const known = this.#profiles.get(profileHash);
      if (known === undefined) needed = profileHash;
      else if (known.profile === undefined) isLost = true;
      return needed === undefined;
    });
    if (needed !== undefined) return new NeededProfile(needed);
    if (isLost) return "lost";
    return { decision, profile, profiles: recordedLookup(used, this.#profiles) };
  }
}
