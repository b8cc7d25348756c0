import {
  DecernError,
  type Decision,
  type DecisionHost,
  extractDecisionSchema,
  type LoadedSet,
  type Problem,
  type SetCandidate,
  type SourceLoad,
} from "@decern/core";
import { canonicalJson } from "@decern/core/tools";

/** Every version of each id, the newest first. */
type Versions = ReadonlyMap<string, readonly Decision[]>;

interface KeptOptions {
  readonly contract: "same" | "any";
  /** How many earlier versions stay. */
  readonly keepVersions: number;
  readonly sameVersion: "refuse" | "allow";
}

/**
 * Stands between a source and its host, and adds the versions before to each set. A decision that did not change stays the same
 * object, so that what was made for it does.
 */
export class KeptVersions implements DecisionHost {
  readonly #host: DecisionHost;
  readonly #options: KeptOptions;
  #inUse: Versions = new Map();
  #waiting: { readonly versions: Versions; readonly atMs: number } | undefined;

  constructor(host: DecisionHost, options: KeptOptions) {
    this.#host = host;
    this.#options = options;
  }

  candidate(set: LoadedSet): SetCandidate | undefined {
    return this.#host.candidate({ ...set, decisions: [...this.#versionsOf(set).values()].flat() });
  }

  accept(set: LoadedSet): void {
    const nowMs = Date.now();
    const versions = this.#versionsOf(set);
    this.#host.accept({ ...set, decisions: [...versions.values()].flat() });
    const { activateAtMs } = set;
    this.#waiting = undefined;
    if (activateAtMs !== undefined && nowMs < activateAtMs) this.#waiting = { versions, atMs: activateAtMs };
    else this.#inUse = versions;
  }

  #versionsOf({ decisions = [] }: LoadedSet): Versions {
    if (this.#waiting !== undefined && Date.now() >= this.#waiting.atMs) this.#inUse = this.#waiting.versions;
    const problems: Problem[] = [];
    const versions: Versions = new Map(
      decisions.map((decision) => [decision.id, this.#withEarlier(decision, problems)] as const),
    );
    if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { detail: "watchDecisions", problems });
    return versions;
  }

  onLoad(load: SourceLoad): void {
    this.#host.onLoad(load);
  }

  #withEarlier(decision: Decision, problems: Problem[]): readonly Decision[] {
    const { id, version, contentHash } = decision;
    const { contract, keepVersions, sameVersion } = this.#options;
    const earlier = this.#inUse.get(id) ?? [];
    const same = earlier.find((one) => one.version === version);
    const [latest] = earlier;
    if (contract === "same" && latest !== undefined && !hasSameSchemas(latest, decision)) {
      const message = "has other schemas than the version that is in use";
      problems.push({ path: `/decisions/${id}`, message });
    }
    const isUnchanged = same !== undefined && contentHash !== undefined && same.contentHash === contentHash;
    if (same !== undefined && !isUnchanged && sameVersion === "refuse") {
      const message = `has other content than the version ${version} that is in use; give it a new version`;
      problems.push({ path: `/decisions/${id}`, message });
    }
    const others = earlier.filter((one) => one !== same);
    return [isUnchanged ? same : decision, ...others.slice(0, keepVersions)];
  }
}

function hasSameSchemas(one: Decision, other: Decision): boolean {
  const isSame = (name: "inputSchema" | "outputSchema" | "profileSchema"): boolean =>
    one[name] === other[name];
  if (isSame("inputSchema") && isSame("outputSchema") && isSame("profileSchema")) return true;
  return schemasOf(one) === schemasOf(other);
}

function schemasOf(decision: Decision): string | undefined {
  const { inputSchema, outputSchema, profileSchema } = extractDecisionSchema(decision);
  return canonicalJson({ inputSchema, outputSchema, profileSchema });
}
