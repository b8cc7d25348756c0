import { hash } from "node:crypto";
import { type BoundLogic, type Call, DecernError, type Decision } from "@decern/core";
import { createService } from "@decern/core/host";
import { type createGeneration, evaluateCall, probe, program, sourceOf, usedBy } from "@decern/core/tools";
import { outcomeName } from "../explore/search/trials.js";
import { hashOf, jsonText, type LockedEnvelope, type LockedModule, type LockedVersion } from "./lock.js";

/** The result of an evaluation, and its entry in a lock. */
export interface Evaluated {
  readonly envelope: LockedEnvelope;
  readonly result: unknown;
}

/** Ids of rules. All others don't match. */
interface Conditions {
  readonly matched: readonly string[];
  readonly failed: readonly string[];
}

/** Of a table with thousands of rows, an input matches a few: what it costs must not depend on the others. */
function conditionsOfLogic(
  logic: BoundLogic,
  { inputSchema }: Decision,
  input: unknown,
  now: string,
): Conditions | undefined {
  try {
    const valid = inputSchema["~standard"].validate(input);
    if (valid instanceof Promise || valid.issues !== undefined) return undefined;
    const hits = logic.hits(valid.value, { now: new Date(now), requestId, caller: undefined });
    return { matched: hits.map(({ ruleId }) => ruleId), failed: [] };
  } catch {
    // The schema or the logic failed, as the evaluation of the same input says.
    return undefined;
  }
}

/** Rules may read the request id, so it is always the same. */
const requestId = "00000000-0000-7000-8000-000000000000";

/** One version of a module, as it is today. */
export class ModuleVersion {
  readonly id: string;
  readonly version: string;
  /** `id@version`. */
  readonly key: string;
  /** With its default profile. */
  readonly decision: Decision;
  /** Those of the whole module. */
  readonly moduleProfiles: LockedModule["profiles"];
  readonly profiles: Pick<LockedVersion, "profileHash" | "usedProfileHashes">;
  readonly #lookup: Call["profiles"];

  constructor(
    decision: Decision,
    catalogue: ReturnType<typeof createGeneration>,
    moduleProfiles: LockedModule["profiles"],
  ) {
    const bound = catalogue.bind(decision);
    const used = [...usedBy([decision])]
      .map((other) => [keyOf(other), hashOf(catalogue.bind(other)[program].boundProfile)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    this.id = decision.id;
    this.version = decision.version;
    this.key = keyOf(decision);
    this.decision = bound;
    this.moduleProfiles = moduleProfiles;
    this.profiles = {
      profileHash: hashOf(bound[program].boundProfile),
      ...(used.length === 0 ? {} : { usedProfileHashes: Object.fromEntries(used) }),
    };
    this.#lookup = catalogue.profiles;
  }

  /** @param now - an instant as ISO 8601 */
  evaluate(input: unknown, now: string): Evaluated {
    const { result, error } = this.#run(input, now);
    if (error === undefined) {
      return { envelope: [outcomeName(result), digest(result)], result };
    }
    const { code, message } = error;
    // Messages of thrown errors differ between versions of Node.
    const envelope = [`ERROR/${code}`, digest({ status: "ERROR", error: { code } })] as const;
    return { envelope, result: { status: "ERROR", error: { code, message } } };
  }

  /** The outcome and the output, without explanations; `undefined` for an invalid input or profile. */
  effect(input: unknown, now: string): string | undefined {
    const { result, error } = this.#run(input, now);
    if (error !== undefined) return `ERROR/${error.code}`;
    if (result.status === "OK") return `${outcomeName(result)}\n${jsonText(result.data)}`;
    return result.status === "NO_MATCH" ? result.status : undefined;
  }

  /** What rules say to an input, those after the first match too; `undefined` for an input that is refused. */
  conditions(input: unknown, now: string): Conditions | undefined {
    const logic = this.decision[program].boundLogic?.();
    try {
      if (logic !== undefined) return conditionsOfLogic(logic, this.decision, input, now);
      const probed = probe(this.#call(input, now));
      if (probed.refused !== undefined) return undefined;
      const named = (wanted: string) =>
        probed.rules.flatMap(({ ruleId, outcome }) => (outcome === wanted ? [ruleId] : []));
      return { matched: named("matched"), failed: named("failed") };
    } catch (thrown) {
      // A schema failed.
      if (thrown instanceof DecernError && thrown.code === "EVALUATION_FAILED") return undefined;
      throw thrown;
    }
  }

  #run(input: unknown, now: string): ReturnType<typeof evaluateCall> {
    return evaluateCall(this.#call(input, now));
  }

  #call(input: unknown, now: string): Call {
    const { decision } = this;
    return { decision, input, profiles: this.#lookup, epochMs: Date.parse(now), requestId };
  }
}

/**
 * Every version of a module that is not retired.
 *
 * @throws DecernError `INVALID_OPTIONS` when a host could not serve the module either, or profiles are still to be loaded
 */
export function versionsOf({ decisions, profiles, versions }: LockedModule): readonly ModuleVersion[] {
  if (sourceOf("profile-source", profiles) !== undefined) {
    const message = "must be an object: a lock is about certain profiles, not those that a source loads";
    throw new DecernError("INVALID_OPTIONS", { detail: "lock", problems: [{ path: "/profiles", message }] });
  }
  const { current } = createService("lock", { decisions, profiles, versions }).catalogue;
  return current.versions.map((decision) => new ModuleVersion(decision, current, profiles));
}

export function keyOf({ id, version }: Pick<Decision, "id" | "version">): string {
  return `${id}@${version}`;
}

function digest(envelope: unknown): string {
  return hash("sha256", jsonText(envelope)).slice(0, 16);
}
