import { DecernError, type Decision } from "@decern/core";
import { prepareCatalogue } from "@decern/core/host";
import {
  defaultProfile,
  type EarlierCall,
  isProfileSource,
  probe,
  type Reevaluated,
  reevaluate,
} from "@decern/core/tools";
import type { LockedEnvelope, LockedModule, LockedVersion } from "./lock.js";
import { hashOf, jsonText, sha256 } from "./lock.js";

/** What came of one input. */
export interface Answer {
  readonly envelope: LockedEnvelope;
  readonly result: unknown;
}

/** One version of a module, as it is today. */
export interface Subject {
  readonly id: string;
  readonly version: string;
  /** `id@version`. */
  readonly key: string;
  /** With its default profile. */
  readonly decision: Decision;
  /** Those of the whole module. */
  readonly moduleProfiles: LockedModule["profiles"];
  readonly profiles: Pick<LockedVersion, "profileHash" | "usedProfileHashes">;
  /** @param now - an instant as ISO 8601 */
  answer(input: unknown, now: string): Answer;
  /** The outcome and the output, without what explains them; `undefined` for what is refused. */
  effect(input: unknown, now: string): string | undefined;
  /** Whether each rule matches, those after the first match too. Without rules that fail. */
  conditions(input: unknown, now: string): readonly (readonly [ruleId: string, value: boolean])[];
}

/** Rules may ask for a request id; a locked one must always be the same. */
const requestId = "00000000-0000-7000-8000-000000000000";

/**
 * Every version of a module that is not retired.
 *
 * @throws DecernError `INVALID_OPTIONS` when a host could not serve the module either, or profiles are still to be loaded
 */
export function subjectsOf({ decisions, profiles, versions }: LockedModule): readonly Subject[] {
  if (isProfileSource(profiles)) {
    const message = "must be an object: a lock is about certain profiles, not those that a source loads";
    throw new DecernError("INVALID_OPTIONS", { detail: "lock", problems: [{ path: "/profiles", message }] });
  }
  const catalogue = prepareCatalogue("lock", { decisions, profiles, versions }, []);
  return [...catalogue.decisions.values()].flatMap((hosted) =>
    [...hosted.versions.values()].map(({ decision }) => {
      const bound = catalogue.bind(decision);
      const used = [...usedBy(decision)].map(
        (other) => [keyOf(other), hashOf(defaultProfile(catalogue.bind(other)))] as const,
      );
      const callOf = (input: unknown, now: string): EarlierCall => ({
        input,
        profiles: catalogue.profiles,
        epochMs: Date.parse(now),
        requestId,
      });
      const run = (input: unknown, now: string): Reevaluated<unknown> =>
        reevaluate(bound, callOf(input, now));
      return {
        id: decision.id,
        version: decision.version,
        key: keyOf(decision),
        decision: bound,
        moduleProfiles: profiles,
        profiles: {
          profileHash: hashOf(defaultProfile(bound)),
          ...(used.length === 0 ? {} : { usedProfileHashes: Object.fromEntries(used.sort(byKey)) }),
        },
        effect: (input, now) => {
          const { result, error } = run(input, now);
          if (error !== undefined) return `ERROR/${error.code}`;
          if (result.status === "OK") return `OK/${result.meta.matchedRule}\n${jsonText(result.data)}`;
          return result.status === "NO_MATCH" ? result.status : undefined;
        },
        conditions: (input, now) => {
          try {
            const probed = probe(bound, callOf(input, now));
            if (probed.refused !== undefined) return [];
            return probed.rules.flatMap(({ ruleId, outcome }) =>
              outcome === "failed" ? [] : [[ruleId, outcome === "matched"] as const],
            );
          } catch (thrown) {
            // A schema failed.
            if (thrown instanceof DecernError && thrown.code === "EVALUATION_FAILED") return [];
            throw thrown;
          }
        },
        answer: (input, now) => {
          const { result, error } = run(input, now);
          if (error === undefined) {
            const outcome = result.status === "OK" ? `OK/${result.meta.matchedRule}` : result.status;
            return { envelope: [outcome, digest(result)], result };
          }
          const { code, message } = error;
          // Messages of thrown errors differ between versions of Node.
          const envelope = [`ERROR/${code}`, digest({ status: "ERROR", error: { code } })] as const;
          return { envelope, result: { status: "ERROR", error: { code, message } } };
        },
      };
    }),
  );
}

export function keyOf({ id, version }: Pick<Decision, "id" | "version">): string {
  return `${id}@${version}`;
}

function digest(envelope: unknown): string {
  return sha256(jsonText(envelope)).slice(0, 16);
}

/** Everything that a decision uses, at every depth. */
function usedBy(decision: Decision, found = new Set<Decision>()): ReadonlySet<Decision> {
  for (const used of decision.uses) {
    if (found.has(used)) continue;
    found.add(used);
    usedBy(used, found);
  }
  return found;
}

function byKey([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
