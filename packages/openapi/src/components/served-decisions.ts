import { DecernError, type Decision, type Deprecation, type VersionPolicy } from "@decern/core";
import type { ServedVersion } from "@decern/core/host";
import { createGeneration } from "@decern/core/tools";
import type { HeaderObject } from "../document/document.js";

/** By id of the decision. */
type VersionPolicies = Readonly<Record<string, VersionPolicy | undefined>> | undefined;

/** A decision, as it is served under its id. */
export interface ServedDecision {
  /** What evaluates calls that name no version. */
  readonly main: ServedVersion;
  /** Every version that has a path of its own. Absent if the host does not name versions of this id. */
  readonly versions: readonly ServedVersion[] | undefined;
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
  versions: VersionPolicies,
  path = "",
): readonly ServedDecision[] {
  const named = new Map(Object.entries(versions ?? {}));
  return [...catalogueOf(decisions, versions, path).decisions.values()].map((hosted) => ({
    main: hosted.standard,
    versions: named.get(hosted.id) === undefined ? undefined : [...hosted.versions.values()],
    retired: [...hosted.retired],
    isSelected: !hosted.isFixed,
  }));
}

function catalogueOf(
  decisions: readonly Decision[],
  versions: VersionPolicies,
  path: string,
): ReturnType<typeof createGeneration> {
  try {
    return createGeneration(decisions, undefined, versions);
  } catch (error) {
    if (!(error instanceof DecernError)) throw error;
    const problems = error.problems.map((problem) =>
      problem.path.startsWith("/versions") ? { ...problem, path: path + problem.path } : problem,
    );
    throw new DecernError("INVALID_OPTIONS", { problems });
  }
}

/** The headers that responses of deprecated versions have, by component name. */
const deprecationHeaders: Readonly<Record<"Deprecation" | "Sunset" | "Link", HeaderObject>> = {
  Deprecation: {
    description: "When this version was deprecated (RFC 9745), in seconds since 1970.",
    required: true,
    schema: { type: "string", pattern: "^@-?[0-9]+$" },
  },
  Sunset: {
    description: "When this version will be retired (RFC 8594), as an HTTP date.",
    required: true,
    schema: { type: "string" },
  },
  Link: {
    description: "Where to read about the deprecation (RFC 8288).",
    required: true,
    schema: { type: "string" },
  },
};

/** The deprecation headers of one version: component names by header. */
export function headersOf(deprecation: Deprecation | undefined): Readonly<Record<string, string>> {
  if (deprecation === undefined) return {};
  return {
    deprecation: "Deprecation",
    ...(deprecation.sunset === undefined ? {} : { sunset: "Sunset" }),
    ...(deprecation.link === undefined ? {} : { link: "Link" }),
  };
}

/** The deprecation headers that some response has: a linter warns about the others. */
export function usedDeprecationHeaders(
  served: readonly ServedDecision[],
): Readonly<Record<string, HeaderObject>> {
  const used = new Set(
    served
      .flatMap(({ main, versions = [] }) => [main, ...versions])
      .flatMap(({ deprecation }) => Object.values(headersOf(deprecation))),
  );
  return Object.fromEntries(Object.entries(deprecationHeaders).filter(([name]) => used.has(name)));
}

/** What to tell the callers of a deprecated version. */
export function deprecationNotice({ since, sunset, link }: Deprecation): string {
  const end = sunset === undefined ? "" : ` It will be retired on ${dayOf(sunset)}.`;
  return `Deprecated since ${dayOf(since)}.${end}${link === undefined ? "" : ` See ${link}`}`;
}

function dayOf(date: string | Date): string {
  return new Date(date).toISOString().slice(0, 10);
}
