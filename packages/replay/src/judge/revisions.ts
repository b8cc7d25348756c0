import { hash } from "node:crypto";
import {
  DecernError,
  type Decision,
  type DecisionLog,
  type DecisionRecord,
  type Problem,
  type RecordPayload,
} from "@decern/core";
import { canonicalForm, program, usedBy, withOwnProfile } from "@decern/core/tools";
import {
  Baseline,
  type BaselineVersion,
  byRevision,
  everyUsed,
  type Generation,
  type Plan,
  type Revision,
  revisionKey,
  underProfile,
} from "./revision.js";

/** One version of the candidate, with the profiles that calls may have. */
export interface CandidateVersion {
  /** Without a profile of the candidate's. */
  readonly decision: Decision;
  readonly standard: Decision;
  readonly standardHash: string;
  /** By the hash of the profile. */
  readonly named: ReadonlyMap<string, Decision>;
  /** Problems of the default profile. */
  readonly missing: readonly Problem[];
  /** The hash of each used decision's profile. */
  readonly usedHashes: ReadonlyMap<string, string>;
}

type ProfileSource = Pick<DecisionLog, "profile"> & Partial<Pick<DecisionLog, "content">>;

/** A bound for each version; one of them holds little more than a profile. */
const maxBound = 200;

/** One record needs a few. */
const maxLoaded = 500;

/** Finds the revisions that a record is compared on: the candidate's, and the recorded one. */
export class Revisions {
  readonly #generation: Generation;
  readonly #source: ProfileSource;
  readonly #candidate: ReadonlyMap<Decision, CandidateVersion>;
  readonly #baseline: Baseline;
  /** The candidate's profiles by hash. */
  readonly #own = new Map<string, unknown>();
  /** Profiles of the records by hash, the least recently loaded first; `undefined` for one that the records lack. */
  readonly #loaded = new Map<string, unknown>();

  /** @throws DecernError `INVALID_OPTIONS` if decisions that others use lack a profile: no call brings one for them */
  constructor(catalogue: Generation, baseline: readonly Decision[] | "log", source: ProfileSource) {
    this.#generation = catalogue;
    this.#source = source;
    const { versions: served } = catalogue;
    const used = byRevision([...usedBy(served)]);
    const missing = [...used.values()].flatMap((one) => catalogue.missing(one));
    if (missing.length > 0) throw invalidCandidate(missing);
    this.#candidate = new Map(served.map((one) => [one, this.#candidateVersion(one)]));
    this.#baseline = new Baseline(baseline, catalogue, source);
  }

  /** The candidate's ids, in order. */
  get ids(): readonly string[] {
    return [...this.#generation.decisions.keys()];
  }

  /**
   * The candidate's version that a record is compared with: the one that the path or `select` chose, if the candidate has it,
   * otherwise its default. `standard` is the default, if that is a different version.
   */
  comparedWith({ decision, selectedBy }: DecisionRecord): {
    readonly compared?: CandidateVersion | undefined;
    readonly standard?: CandidateVersion | undefined;
  } {
    const hosted = this.#generation.get(decision.id);
    if (hosted === undefined) return {};
    const standard = this.#candidate.get(hosted.standard.decision);
    const isChosen = selectedBy === "path" || selectedBy === "select";
    const chosen = isChosen ? hosted.versions.get(decision.version) : undefined;
    const compared = chosen === undefined ? standard : this.#candidate.get(chosen.decision);
    return compared === standard ? { compared } : { compared, standard };
  }

  /**
   * Loads from the records what a record cannot be judged without.
   *
   * @returns `undefined` if all of it is there, as for most records
   */
  prepare(record: DecisionRecord): Promise<void> | undefined {
    if (this.#baseline.needsContent(record))
      return this.#baseline.rebuild(record).then(() => this.prepare(record));
    const hashes = this.#toLoad(record);
    return hashes.length === 0 ? undefined : this.#load(hashes);
  }

  /** Hashes of profiles. */
  #toLoad(record: DecisionRecord): readonly string[] {
    const { payload, profileHash } = record;
    if (payload === null) return [];
    if (!record.masked.includes("/profile") && this.#baseline.of(record) === undefined) return [];
    const hashes: string[] = [];
    const add = (one: string): boolean => this.#own.has(one) || this.#loaded.has(one) || hashes.push(one) > 0;
    if (!Object.hasOwn(payload, "profile")) add(profileHash);
    everyUsed(payload.used, (used) => add(used.profileHash));
    return hashes;
  }

  async #load(hashes: readonly string[]): Promise<void> {
    for (const one of hashes) {
      const profile = await this.#source.profile(one);
      const [oldest] = this.#loaded.keys();
      if (this.#loaded.size >= maxLoaded && oldest !== undefined) this.#loaded.delete(oldest);
      this.#loaded.set(one, profile);
    }
  }

  /** Puts a caller's profile that is kept apart back into its record, if the records have it. */
  complete(record: DecisionRecord): DecisionRecord {
    return withOwnProfile(record, this.#profile(record.profileHash));
  }

  /**
   * @param version - the candidate's
   * @throws DecernError `INVALID_OPTIONS` if a host's profile was used, and the candidate has none
   */
  plan(record: DecisionRecord, payload: RecordPayload, version: CandidateVersion): Plan {
    const isOwn = Object.hasOwn(payload, "profile");
    const profile = isOwn ? payload.profile : undefined;
    // A record doesn't name its profile: a named one that equals the recorded one is the one that was chosen.
    const isStandard = record.profileHash === version.standardHash;
    const named = isStandard ? undefined : version.named.get(record.profileHash);
    if (named === undefined && version.missing.length > 0 && !isOwn && needsProfile(record))
      throw invalidCandidate(version.missing);
    const candidate = {
      decision: named ?? version.standard,
      profile,
      profiles: this.#generation.profiles,
    };
    const baseline = this.#baseline.of(record);
    const recorded = baseline?.decision;
    if (baseline === undefined || !everyUsed(payload.used, (used) => baseline.used.has(revisionKey(used))))
      return { candidate, recorded, control: undefined };
    const isSame =
      recorded === version.decision &&
      (isOwn || isStandard || named !== undefined) &&
      everyUsed(payload.used, (used) => version.usedHashes.get(revisionKey(used)) === used.profileHash);
    if (isSame) return { candidate, recorded, control: candidate };
    const given = isOwn
      ? { decision: baseline.decision, profile }
      : this.#bound(baseline, record.profileHash);
    const isComplete = everyUsed(payload.used, (used) => this.#profile(used.profileHash) !== undefined);
    if (given === undefined || !isComplete) return { candidate, recorded, control: "lost" };
    const { decision, profile: bound } = given;
    return {
      candidate,
      recorded,
      control: { decision, profile: bound, profiles: this.#profilesOf(payload.used) },
    };
  }

  #candidateVersion(decision: Decision): CandidateVersion {
    const { profiles } = this.#generation;
    const standard = this.#generation.bind(decision);
    const named = (profiles?.namesOf(decision) ?? []).flatMap(
      (name) => profiles?.bindNamed(decision, name) ?? [],
    );
    const used = [...byRevision([...usedBy([decision])])];
    return {
      decision,
      standard,
      standardHash: this.#hashed(standard),
      named: new Map(named.map((one) => [this.#hashed(one), one])),
      missing: this.#generation.missing(decision),
      usedHashes: new Map(used.map(([key, one]) => [key, this.#hashed(this.#generation.bind(one))])),
    };
  }

  /** The hash of a decision's profile as records have it. The profile is then known by it. */
  #hashed(decision: Decision): string {
    const profile = decision[program].boundProfile;
    const hashed = `sha256:${hash("sha256", canonicalForm(profile) ?? "null")}`;
    this.#own.set(hashed, profile);
    return hashed;
  }

  #profile(hashed: string): unknown {
    return this.#own.has(hashed) ? this.#own.get(hashed) : this.#loaded.get(hashed);
  }

  /** A version of the baseline under a host's profile; `undefined` if the records lack that. */
  #bound(
    { decision, bound }: BaselineVersion,
    hashed: string,
  ): Pick<Revision, "decision" | "profile"> | undefined {
    const known = bound.get(hashed);
    if (known !== undefined) return known;
    const profile = this.#profile(hashed);
    if (profile === undefined) return undefined;
    const made = underProfile(decision, profile);
    if (bound.size === maxBound) bound.clear();
    bound.set(hashed, made);
    return made;
  }

  /** The profiles of the decisions that a record says were used. */
  #profilesOf(used: RecordPayload["used"]): Revision["profiles"] {
    if (used === undefined) return undefined;
    const hashes = new Map<string, string>();
    everyUsed(used, (one) => hashes.set(revisionKey(one), one.profileHash).size > 0);
    return { profileOf: (decision) => this.#profile(hashes.get(revisionKey(decision)) ?? "") };
  }
}

/** A host may leave profiles to its callers, and reject calls without one. */
function needsProfile({ status }: DecisionRecord): boolean {
  return status !== "INVALID_PROFILE" && status !== "INVALID_INPUT";
}

function invalidCandidate(problems: readonly Problem[]): DecernError {
  return new DecernError("INVALID_OPTIONS", { detail: "replay: candidate", problems });
}
