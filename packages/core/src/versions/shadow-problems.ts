import { type Decision, isDecision } from "../definition/decision.js";
import type { Problem } from "../errors.js";
import { type OptionKind, optionKinds } from "../options/option-kinds.js";
import { escapePointer } from "../program/validation.js";
import { isJsonObject } from "../schema/json-schema.js";
import { Shadow, type ShadowPolicy } from "./shadow.js";

const { group, nonEmptyText } = optionKinds;

const decision: OptionKind = (value, path) =>
  isDecision(value) ? [] : [{ path, message: "is not a decision; make it with defineDecision" }];

const share: OptionKind = (value, path) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? []
    : [{ path, message: "must be a number from 0 to 1" }];

const policy = group<ShadowPolicy>({ version: nonEmptyText, decision, sample: share });

/** The shadow of each id, and what is wrong with the `shadow` option. */
export interface CheckedShadows {
  readonly shadows: ReadonlyMap<string, Shadow>;
  readonly problems: readonly Problem[];
}

/** @param served - every version of each id */
export function checkShadows(
  shadow: unknown = {},
  served: ReadonlyMap<string, readonly Decision[]>,
): CheckedShadows {
  if (!isJsonObject(shadow))
    return { shadows: new Map(), problems: [{ path: "/shadow", message: "must be an object" }] };
  const problems: Problem[] = [];
  const shadows = new Map<string, Shadow>();
  for (const [id, value] of Object.entries(shadow)) {
    if (value === undefined) continue;
    const path = `/shadow/${escapePointer(id)}`;
    const versions = served.get(id);
    if (versions === undefined) {
      problems.push({ path, message: "does not belong to any decision" });
      continue;
    }
    const found = [...policy(value, path)];
    if (found.length === 0 && isJsonObject(value)) {
      const { version, decision, sample = 1 } = value;
      const candidate = isDecision(decision) ? decision : versions.find((other) => other.version === version);
      if ((version === undefined) === (decision === undefined))
        found.push({ path, message: "needs either version or decision" });
      else if (candidate === undefined)
        found.push({ path: `${path}/version`, message: `"${version}" is not a version of this decision` });
      else if (typeof sample === "number") shadows.set(id, new Shadow(candidate, sample));
    }
    problems.push(...found);
  }
  return { shadows, problems };
}
