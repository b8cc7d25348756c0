import type { Decision, DecisionRecord } from "@decern/core";
import type { Catalogue } from "@decern/core/host";
import { ComparedVersion } from "./compared-version.js";

/** The versions of a candidate, by what a record says. */
export class CandidateVersions {
  readonly #catalogue: Catalogue;
  readonly #compared = new Map<Decision, ComparedVersion>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** The version that a call would get now; `undefined` where the candidate does not have the decision. */
  of({ decision, selectedBy }: DecisionRecord): ComparedVersion | undefined {
    const hosted = this.#catalogue.get(decision.id);
    if (hosted === undefined) return undefined;
    const named = selectedBy === "path" ? hosted.versions.get(decision.version) : undefined;
    const chosen = (named ?? hosted.standard).decision;
    let compared = this.#compared.get(chosen);
    if (compared === undefined) {
      compared = new ComparedVersion(chosen, this.#catalogue);
      this.#compared.set(chosen, compared);
    }
    return compared;
  }

  /** The candidate's ids, in order. */
  get ids(): readonly string[] {
    return [...this.#catalogue.decisions.keys()];
  }
}
