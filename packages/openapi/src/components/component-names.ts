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

/**
 * Hands out unique names. Upper and lower case count as equal, because generators write one file per name and some file
 * systems ignore case. Underscores do not count, because some generators leave them out.
 */
export class ComponentNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  /**
   * Claims a name. Appends a number if the name is taken.
   *
   * @param suffixes - suffixes that the name will get; the name must be free with each of them
   */
  claim(wanted: string, suffixes: readonly string[] = [""]): string {
    const key = [plain(wanted), ...suffixes].join();
    let number = this.#next.get(key) ?? 1;
    let name = number === 1 ? wanted : `${wanted}${number}`;
    while (suffixes.some((suffix) => this.#taken.has(plain(name + suffix)))) {
      number += 1;
      name = `${wanted}${number}`;
    }
    this.#next.set(key, number + 1);
    for (const suffix of suffixes) this.#taken.add(plain(name + suffix));
    return name;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

/** Turns the version of a decision into the end of a type name: `1.2.0` is `V1_2_0`. */
function versionName(version: string): string {
  return `V${version.replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_|_$/g, "")}`;
}

/** Turns any text into a type name: `loan-approval` is `LoanApproval`, `2fa` is `Decision2fa`. */
export function typeName(text: string, fallback: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
  return /^[A-Z]/.test(name) ? name : fallback + name;
}

const decisionSuffixes = ["Input", "Profile", "Output", "Request", "OkResult", "Result"] as const;

/** A decision with its names in a document. */
export interface NamedDecision {
  readonly served: ServedDecision;
  /** Its name among the components: the start of the names of its schemas. */
  readonly name: string;
  /** The names of its versions. The default has one too, for the operation that names the version in its path. */
  readonly versionNames: ReadonlyMap<Decision, string>;
}

/**
 * Claims the names of decisions and of their versions. Do this before schemas are added, so that definitions inside schemas
 * never rename a decision.
 */
export function nameDecisions(
  decisions: readonly ServedDecision[],
  names: ComponentNames,
): readonly NamedDecision[] {
  return decisions
    .map((served) => ({
      served,
      name: names.claim(typeName(served.main.decision.id, "Decision"), decisionSuffixes),
    }))
    .map(({ served, name }) => ({ served, name, versionNames: nameVersions(served, name, names) }));
}

/** Names for the versions of a decision. They must also be free with the suffixes that their operations get. */
function nameVersions(
  { versions = [] }: ServedDecision,
  name: string,
  names: ComponentNames,
): ReadonlyMap<Decision, string> {
  const suffixes = [...decisionSuffixes, "Schema", "EndpointSchema"];
  return new Map(
    versions.map(({ decision }) => [decision, names.claim(name + versionName(decision.version), suffixes)]),
  );
}
