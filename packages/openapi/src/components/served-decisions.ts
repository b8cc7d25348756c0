import { DecernError, type Decision, type VersionPolicy } from "@decern/core";
import type { Served } from "@decern/core/host";
import { createGeneration } from "@decern/core/tools";

/** A decision, as it is served under its id. */
export interface ServedDecision {
  /** What evaluates calls that name no version. */
  readonly main: Served["standard"];
  /** Every version that has a path of its own. Absent if the host does not name versions of this id. */
  readonly versions: readonly Served["standard"][] | undefined;
  readonly retired: readonly string[];
  /** Whether the host chooses the version of calls that name none. */
  readonly isSelected: boolean;
}

/**
 * Sorts decisions by id and version, in the order of the list.
 *
 * @param path - where `versions` is, in the messages
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function planService(
  decisions: readonly Decision[],
  versions: Readonly<Record<string, VersionPolicy | undefined>> | undefined,
  path = "",
): readonly ServedDecision[] {
  const named = new Map(Object.entries(versions ?? {}));
  try {
    return [...createGeneration(decisions, undefined, versions).decisions.values()].map((hosted) => ({
      main: hosted.standard,
      versions: named.get(hosted.id) === undefined ? undefined : [...hosted.versions.values()],
      retired: [...hosted.retired],
      isSelected: !hosted.isFixed,
    }));
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    const problems = error.problems.map((problem) =>
      problem.path.startsWith("/versions") ? { ...problem, path: path + problem.path } : problem,
    );
    throw new DecernError("INVALID_OPTIONS", { problems });
  }
}
