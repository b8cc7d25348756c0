import {
  DecernError,
  type Decision,
  type DecisionLog,
  type DecisionRecord,
  type LogicContent,
} from "@decern/core";
import { usedBy, withDocument } from "@decern/core/tools";
import { type Generation, type Revision, revisionKey, versionKey } from "./revision.js";

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
