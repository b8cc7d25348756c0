import type { Decision, DecisionRecord, RecordPayload, UsedRecord } from "@decern/core";
import { defaultProfile, type EarlierCall, lacksOwnProfile, withOwnProfile } from "@decern/core/tools";
import type { BoundVersion, ComparedVersion } from "../revision/compared-version.js";
import { type Control, type Controls, type ProfiledDecision, recordedLookup } from "../revision/control.js";
import type { RecordedProfiles } from "../revision/recorded-profiles.js";
import { everyUsed } from "../revision/used-decisions.js";
import { NeededProfile } from "./judgement.js";

/** An evaluation to be made. */
export interface PlannedRun extends ProfiledDecision {
  readonly profiles: EarlierCall["profiles"];
}

/** What is to be evaluated for one record. */
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
