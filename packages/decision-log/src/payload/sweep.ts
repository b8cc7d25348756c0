import { escapePointer } from "@decern/core/schema";
import type { Leaks } from "./leaks.js";
import { type Removed, removeMember } from "./mask-path.js";
import type { Json, JsonObject } from "./plain-json.js";

/**
 * The members of a payload that Decern itself names, with those that are `true`: the same whatever the input, or in the record
 * elsewhere too. `*` stands for every item.
 */
interface Known {
  readonly [name: string]: true | Known;
}

const anything: Known = {};

const envelope: Known = {
  status: true,
  meta: {
    decisionId: true,
    decisionVersion: true,
    matchedRule: true,
    evaluatedAt: true,
    evaluatedRules: { "*": { ruleId: true, matched: true } },
  },
};

const used: Known = {
  "*": {
    id: true,
    version: true,
    profileHash: true,
    result: envelope,
    get used() {
      return used;
    },
  },
};

const known: Known = { error: { code: true }, result: envelope, used };

/** Removes every text and number with a masked value in it from a payload. */
export function sweep(payload: JsonObject, leaks: Leaks, removed: Removed): void {
  sweepMembers(payload, "", leaks, known, removed);
}

function sweepMembers(
  container: Json[] | JsonObject,
  at: string,
  leaks: Leaks,
  names: Known,
  removed: Removed,
): void {
  for (const [name, value] of Object.entries(container)) {
    const inside = lookUp(names, name);
    if (inside === true) continue;
    const place = `${at}/${escapePointer(name)}`;
    if (isLeaking(value, place, leaks, inside, removed)) removeMember(container, name, place, removed);
  }
}

/** @returns whether the value itself is to be removed */
function isLeaking(value: Json, at: string, leaks: Leaks, names: Known, removed: Removed): boolean {
  if (typeof value === "string" || typeof value === "number") return leaks.isIn(value);
  if (typeof value !== "object" || value === null) return false;
  // A pointer to such a member would show its name.
  if (names === anything && hasLeakingName(value, leaks)) return true;
  sweepMembers(value, at, leaks, names, removed);
  return false;
}

function hasLeakingName(value: Json[] | JsonObject, leaks: Leaks): boolean {
  return !Array.isArray(value) && Object.keys(value).some((name) => leaks.isIn(name));
}

function lookUp(names: Known, name: string): true | Known {
  if (Object.hasOwn(names, name)) return names[name] ?? anything;
  return names["*"] ?? anything;
}
