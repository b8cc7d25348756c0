import type { Problem } from "../errors.js";
import { optionKinds } from "../options/option-kinds.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import type { HostedDecision } from "../versions/hosted-decision.js";
import type { BoundProfiles } from "./bound-profiles.js";

/** Names of the profiles that callers may choose, by decision id. */
type Offered = Readonly<Record<string, readonly string[] | undefined>>;

const names = optionKinds.listOf(optionKinds.nonEmptyText);

/** Finds what is wrong with the `callerProfiles` option, whether or not there are profiles of those names. */
export function offeredProblems(offered: unknown, ids: ReadonlyMap<string, unknown>): readonly Problem[] {
  if (offered === undefined) return [];
  if (!isJsonObject(offered)) return [{ path: "/callerProfiles", message: "must be an object" }];
  return Object.entries(offered).flatMap(([id, list]) => {
    const path = `/callerProfiles/${escapePointer(id)}`;
    if (!ids.has(id)) return [{ path, message: "does not belong to any decision" }];
    return list === undefined ? [] : names(list, path);
  });
}

/** Whether the `callerProfiles` option has no problem. */
export function areOffered(offered: unknown, problems: readonly Problem[]): offered is Offered {
  return isJsonObject(offered) && problems.length === 0;
}

/** Finds profiles that callers may choose, and that some version does not have. */
export function missingOffered(
  hosted: Iterable<HostedDecision>,
  profiles: BoundProfiles,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { id, offered, versions } of hosted) {
    for (const name of offered) {
      for (const { decision } of versions.values()) {
        if (profiles.bindNamed(decision, name) !== undefined) continue;
        const path = `/callerProfiles/${escapePointer(id)}`;
        const message = `"${name}" needs a profile "${id}#${name}", for version ${decision.version}`;
        problems.push({ path, message });
      }
    }
  }
  return problems;
}
