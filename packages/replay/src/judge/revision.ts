import {
  type Call,
  DecernError,
  type Decision,
  type DecisionLog,
  type DecisionRecord,
  type LogicContent,
  type RecordPayload,
  type UsedRecord,
  withProfile,
} from "@decern/core";
import { type createGeneration, usedBy, withDocument } from "@decern/core/tools";

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

/** What a record says was used, where nothing of that but the result was masked. */
type NamedUse = UsedRecord & Pick<Decision, "id" | "version"> & Pick<DecisionRecord, "profileHash">;

function isNamed(used: UsedRecord | null): used is NamedUse {
  return used?.id !== undefined && used.version !== undefined && used.profileHash !== undefined;
}

/** Whether a test holds for everything that a record says was used, at every depth. It holds for nothing that was masked. */
export function everyUsed(used: RecordPayload["used"], test: (used: NamedUse) => boolean): boolean {
  return used === undefined || used.every((one) => isNamed(one) && test(one) && everyUsed(one.used, test));
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

/** One version of the baseline. */
export interface BaselineVersion {
  readonly decision: Decision;
  readonly used: ReadonlySet<string>;
  /** The revisions under a host's profile, by the profile's hash: it is validated once, as on a host. */
  readonly bound: Map<string, Pick<Revision, "decision" | "profile">>;
}

/** The decisions that made the records, as far as there are any. */
export class Baseline {
  /** By id, then by version and content. */
  readonly #versions = new Map<string, Map<string, BaselineVersion>>();
  readonly #generation: Generation;
  /** Of what decisions were made from; `undefined` where that is not taken out of the records. */
  readonly #contents: Partial<Pick<DecisionLog, "content">> | undefined;
  /** Revisions whose content the records lack, or that cannot be made of it any more. */
  readonly #lost = new Set<string>();

  /** @param decisions - `"log"` for those of the candidate, and those that are made from what the records have */
  constructor(
    decisions: readonly Decision[] | "log",
    candidate: Generation,
    records: Partial<Pick<DecisionLog, "content">>,
  ) {
    this.#generation = candidate;
    this.#contents = decisions === "log" ? records : undefined;
    for (const decision of decisions === "log" ? candidate.versions : decisions) this.#add(decision);
  }

  /** Of a decision of `logic`, only the one that was made from what the record names. */
  of({ decision, contentHash }: DecisionRecord): BaselineVersion | undefined {
    return this.#versions.get(decision.id)?.get(versionKey(decision.version, contentHash));
  }

  /** Whether only the records may have what a record was made from. */
  needsContent(record: DecisionRecord): boolean {
    const { decision, contentHash } = record;
    return (
      this.#contents !== undefined &&
      contentHash !== undefined &&
      this.of(record) === undefined &&
      !this.#lost.has(revisionKey({ ...decision, contentHash }))
    );
  }

  /** Adds the decision that made a record, from the document that the records have. */
  async rebuild({ decision: { id, version }, contentHash = "" }: DecisionRecord): Promise<void> {
    const served = this.#generation.get(id)?.standard.decision;
    const content = await this.#contents?.content?.(contentHash);
    const made = served && content && rebuilt(served, version, content);
    if (made?.contentHash === contentHash) this.#add(made);
    else this.#lost.add(revisionKey({ id, version, contentHash }));
  }

  #add(decision: Decision): void {
    const versions = this.#versions.get(decision.id) ?? new Map<string, BaselineVersion>();
    const used = new Set([...usedBy([decision])].map(revisionKey));
    versions.set(versionKey(decision.version, decision.contentHash), { decision, used, bound: new Map() });
    this.#versions.set(decision.id, versions);
  }
}

/** @returns `undefined` for a document that does not fit the contract any more */
function rebuilt(served: Decision, version: string, { document }: LogicContent): Decision | undefined {
  try {
    return withDocument(served, version, document);
  } catch (thrown) {
    if (thrown instanceof DecernError) return undefined;
    throw thrown;
  }
}
