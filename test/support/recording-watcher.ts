import { DecernError, type SourceHost, type SourceLoad } from "../../packages/core/src/index.js";

/** A set as a host accepted it. */
interface AcceptedSet {
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly revision: string | undefined;
}

/** A host that records what it is told, and refuses a set with a profile that has `wrong`. */
export function recordingWatcher() {
  const accepted: AcceptedSet[] = [];
  const refused: unknown[] = [];
  const loads: SourceLoad[] = [];
  const watcher: SourceHost = {
    accept: ({ profiles = {}, revision }) => {
      const problems = Object.entries(profiles)
        .filter(([, profile]) => typeof profile === "object" && profile !== null && "wrong" in profile)
        .map(([id]) => ({ path: `/profiles/${id}`, message: "is wrong" }));
      if (problems.length > 0) {
        refused.push(profiles);
        throw new DecernError("INVALID_OPTIONS", { problems });
      }
      accepted.push({ profiles, revision });
    },
    onLoad: (load) => void loads.push(load),
  };
  return {
    ...watcher,
    accepted,
    refused,
    loads,
    outcomes: () => loads.map(({ outcome }) => outcome),
    errors: () => loads.flatMap((load) => (load.outcome === "failed" ? [String(load.error)] : [])),
  };
}
