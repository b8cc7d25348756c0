import { DecernError, type Problem } from "../errors.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { Decision } from "./decision.js";
import { program } from "./decision.js";
import { withProfile } from "./with-profile.js";

/** The decisions of a host by id, each with its default profile, and everything that is wrong with them. */
export interface CheckedCatalogue {
  readonly catalogue: ReadonlyMap<string, Decision>;
  /**
   * Duplicate ids, profiles for unknown ids or that break their schema, values that are not decisions, ids that no URL can
   * carry.
   */
  readonly problems: readonly Problem[];
  /** Decisions that were given no profile, with the path where it would be given. */
  readonly withoutProfile: readonly { readonly decision: Decision; readonly path: string }[];
}

/** Checks the decisions and profiles that a host is given. */
export function checkCatalogue(decisions: unknown, profiles: unknown = {}): CheckedCatalogue {
  const problems: Problem[] = [];
  const catalogue = new Map<string, Decision>();
  if (!Array.isArray(decisions)) problems.push({ path: "/decisions", message: "must be a list" });
  const list: readonly unknown[] = Array.isArray(decisions) ? decisions : [];
  for (const [index, decision] of list.entries()) {
    const path = `/decisions/${index}`;
    if (!isDecision(decision)) {
      problems.push({ path, message: "is no decision; make it with defineDecision" });
    } else if (decision.id === "." || decision.id === "..") {
      problems.push({ path, message: `"${decision.id}" cannot be a part of a URL's path` });
    } else if (catalogue.has(decision.id)) {
      problems.push({ path, message: `"${decision.id}" is the id of an earlier decision` });
    } else {
      catalogue.set(decision.id, decision);
    }
  }
  if (!isJsonObject(profiles)) problems.push({ path: "/profiles", message: "must be an object" });
  const given = new Map(Object.entries(isJsonObject(profiles) ? profiles : {}));
  for (const [id, profile] of given) {
    const path = profilePath(id);
    const decision = catalogue.get(id);
    if (decision === undefined) {
      problems.push({ path, message: "is the profile of no decision" });
      continue;
    }
    if (profile === undefined) continue;
    try {
      catalogue.set(id, withProfile<unknown, unknown, unknown, string>(decision, profile));
    } catch (error) {
      if (!(error instanceof DecernError)) throw error;
      for (const problem of error.problems) problems.push({ ...problem, path: path + problem.path });
    }
  }
  const withoutProfile = [...catalogue.values()]
    .filter(({ id }) => given.get(id) === undefined)
    .map((decision) => ({ decision, path: profilePath(decision.id) }));
  return { catalogue, problems, withoutProfile };
}

/**
 * Makes the catalogue of a host.
 *
 * @returns the decisions by id, each with its default profile
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function createCatalogue(
  decisions: readonly Decision[],
  profiles?: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Decision> {
  const { catalogue, problems } = checkCatalogue(decisions, profiles);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return catalogue;
}

function profilePath(id: string): string {
  return `/profiles/${escapePointer(id)}`;
}

function isDecision(value: unknown): value is Decision {
  return typeof value === "object" && value !== null && program in value;
}
