import { type Call, DecernError, type Decision, type UsedRecord, withProfile } from "@decern/core";
import type { createGeneration } from "@decern/core/tools";

/** The candidate: its decisions, their versions and profiles. */
export type Generation = ReturnType<typeof createGeneration>;

/** What a record is evaluated with: a version of a decision, its profile, and the profiles of the decisions that it uses. */
export type Revision = Pick<Call, "decision" | "profile" | "profiles">;

/** The two revisions that a record is compared on. */
export interface Plan {
  readonly candidate: Revision;
  /**
   * The revision that made the record. It is `candidate` itself if nothing of it changed, `lost` if the records lack one of its
   * profiles, and `undefined` if the baseline lacks its version or one that it uses.
   */
  readonly control: Revision | "lost" | undefined;
  /** The recorded version, also if the baseline lacks a version that it uses. */
  readonly recorded: Decision | undefined;
}

/** The first decision of each id, version and content. */
export function byRevision(decisions: readonly Decision[]): ReadonlyMap<string, Decision> {
  return new Map(decisions.toReversed().map((one) => [revisionKey(one), one]));
}

/** @param of - a decision, or what a record says was used: with another `contentHash`, it is another revision */
export function revisionKey(of: Pick<Decision, "id" | "version" | "contentHash">): string {
  return `${of.id}@${versionKey(of.version, of.contentHash)}`;
}

/** Names a version among those of one id. */
export function versionKey(version: string, contentHash: string | undefined): string {
  return contentHash === undefined ? version : `${version} of ${contentHash}`;
}

/** Whether a test holds for everything that a record says was used, at every depth. */
export function everyUsed(
  used: readonly UsedRecord[] | undefined,
  test: (used: UsedRecord) => boolean,
): boolean {
  return used === undefined || used.every((one) => test(one) && everyUsed(one.used, test));
}

/** A decision under a host's profile, which is validated once, as on a host. */
export function underProfile(decision: Decision, profile: unknown): Pick<Revision, "decision" | "profile"> {
  try {
    return { decision: withProfile(decision, profile), profile: undefined };
  } catch (thrown) {
    if (!(thrown instanceof DecernError)) throw thrown;
    // It breaks its schema: then the envelope says so.
    return { decision, profile };
  }
}
