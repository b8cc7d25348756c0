import { DecernError, type Problem } from "../errors.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { Decision } from "./decision.js";
import { program } from "./decision.js";
import { withProfile } from "./with-profile.js";

/**
 * Checks what a host is given, once, at start.
 *
 * @returns the decisions by id, each with its default profile
 * @throws DecernError `INVALID_OPTIONS` with every problem: duplicate ids, profiles for unknown ids or that break their
 *   schema, what is no decision, ids that no URL can carry
 */
export function createCatalogue(
  decisions: readonly Decision[],
  profiles: Readonly<Record<string, unknown>> = {},
): ReadonlyMap<string, Decision> {
  const problems: Problem[] = [];
  const catalogue = new Map<string, Decision>();
  if (!Array.isArray(decisions)) {
    throw new DecernError("INVALID_OPTIONS", {
      problems: [{ path: "/decisions", message: "has to be a list" }],
    });
  }
  for (const [index, decision] of decisions.entries()) {
    const path = `/decisions/${index}`;
    if (typeof decision !== "object" || decision === null || !(program in decision)) {
      problems.push({ path, message: "is no decision; make it with defineDecision" });
    } else if (decision.id === "." || decision.id === "..") {
      problems.push({ path, message: `"${decision.id}" cannot be a part of a URL's path` });
    } else if (catalogue.has(decision.id)) {
      problems.push({ path, message: `"${decision.id}" is the id of an earlier decision` });
    } else {
      catalogue.set(decision.id, decision);
    }
  }
  if (!isJsonObject(profiles)) problems.push({ path: "/profiles", message: "has to be an object" });
  for (const [id, profile] of Object.entries(isJsonObject(profiles) ? profiles : {})) {
    const path = `/profiles/${escapePointer(id)}`;
    const decision = catalogue.get(id);
    if (decision === undefined) {
      problems.push({ path, message: "is the profile of no decision" });
      continue;
    }
    if (profile === undefined) continue;
    try {
      catalogue.set(id, withProfile(decision, profile));
    } catch (error) {
      if (!(error instanceof DecernError)) throw error;
      for (const problem of error.problems) problems.push({ ...problem, path: path + problem.path });
    }
  }
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return catalogue;
}
