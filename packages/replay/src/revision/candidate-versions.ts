import type { Decision, DecisionRecord } from "@decern/core";
import type { Catalogue } from "@decern/core/tools";
import { ComparedVersion } from "./compared-version.js";

/** The versions of a candidate, by what a record says. */
export class CandidateVersions {
  readonly #catalogue: Catalogue;
  readonly #compared = new Map<Decision, ComparedVersion>();

  constructor(catalogue: Catalogue) {
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

  /** The default version, where a call is compared with another one. */
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
