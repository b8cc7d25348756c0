import { DecernError, type Problem } from "../base/errors.js";
import { escapePointer, isJsonObject } from "../base/json.js";
import { kinds } from "../base/kinds.js";
import { option, type RowsOf } from "../base/options.js";
import { type Decision, isDecision, whyNoDecision } from "../decision/decision.js";
import { decisionKind } from "./evaluator-options.js";
import { DecisionSet, type Entry, Generation } from "./generation.js";
import type { Revisions } from "./generation-source.js";
import { checkProfiles } from "./profiles.js";
import type { ShadowChoice } from "./run.js";
import type { ShadowPolicy } from "./shadow.js";
import type { VersionPolicy } from "./version-policy.js";
import { readVersions } from "./versions.js";

/** What a service is given. JavaScript callers may give anything. */
export interface SetOptions {
  readonly decisions?: unknown;
  /** By `id`, `id@version`, `id#name` and `id@version#name`; `undefined` where they are to be loaded later. */
  readonly profiles?: unknown;
  /** By id. */
  readonly versions?: unknown;
  /** By id. */
  readonly shadow?: unknown;
  /** Names of profiles that callers may choose, by id. */
  readonly callerProfiles?: unknown;
}

/** A generation, and everything that is wrong with it. Where something is, it is not to be used. */
export interface CheckedGeneration {
  readonly generation: Generation;
  readonly problems: readonly Problem[];
  /** Decisions that were given no profile, and the path where it would be given. */
  readonly withoutProfile: readonly { readonly decision: Decision; readonly path: string }[];
}

/** Decisions with their policies, and everything that is wrong with them. */
interface CheckedSet {
  readonly set: DecisionSet;
  readonly problems: readonly Problem[];
}

/** @param awaited - ids of decisions that are loaded later, and checked then. @default none */
export function checkSet(options: Omit<SetOptions, "profiles">, awaited: readonly string[] = []): CheckedSet {
  const { decisions, problems } = checkDecisions(options.decisions, awaited);
  const groups = new Map<string, [Decision, ...Decision[]]>();
  for (const decision of decisions) {
    const group = groups.get(decision.id);
    if (group === undefined) groups.set(decision.id, [decision]);
    else group.push(decision);
  }
  const numbers = new Map([...groups].map(([id, list]) => [id, list.map(({ version }) => version)] as const));
  const versions = readVersions(options.versions, numbers, awaited);
  const shadows = checkShadows(without(options.shadow, awaited), groups);
  const offers = readOffered(without(options.callerProfiles, awaited), groups);
  const entries = [...groups].map(([id, list]): Entry => {
    const policy = Object.hasOwn(versions.policies, id) ? versions.policies[id] : undefined;
    const offered = Object.hasOwn(offers.offered, id) ? offers.offered[id] : undefined;
    return { id, versions: list, policies: { policy, shadow: shadows.shadows.get(id), offered } };
  });
  return {
    set: new DecisionSet(entries, awaited),
    problems: [...problems, ...versions.problems, ...shadows.problems, ...offers.problems],
  };
}

function without(byId: unknown, ids: readonly string[]): unknown {
  if (ids.length === 0 || !isJsonObject(byId)) return byId;
  return Object.fromEntries(Object.entries(byId).filter(([id]) => !ids.includes(id)));
}

/** @param profiles - `undefined` where there are none */
export function bindSet(
  set: DecisionSet,
  profiles: unknown,
  revisions?: Revisions | undefined,
): CheckedGeneration {
  const checked = checkProfiles(set.all, profiles, revisions);
  const generation = new Generation(set, checked.set, revisions);
  return {
    generation,
    problems: [...checked.problems, ...missingOffered(generation)],
    withoutProfile: checked.withoutProfile,
  };
}

/** @param awaits - what is loaded later. @default nothing */
export function checkGeneration(
  options: SetOptions,
  {
    decisions = [],
    profiles = false,
  }: { readonly decisions?: readonly string[]; readonly profiles?: boolean } = {},
): CheckedGeneration {
  const { set, problems } = checkSet(options, decisions);
  if (profiles || decisions.length > 0)
    return { generation: new Generation(set, undefined), problems, withoutProfile: [] };
  const bound = bindSet(set, options.profiles);
  return { ...bound, problems: [...problems, ...bound.problems] };
}

/**
 * Makes a generation out of decisions that are there, as tools do.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function createGeneration(
  decisions: readonly Decision[],
  profiles?: Readonly<Record<string, unknown>>,
  versions?: Readonly<Record<string, VersionPolicy | undefined>>,
): Generation {
  const { generation, problems } = checkGeneration({ decisions, profiles, versions });
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
  return generation;
}

/** Finds profiles that callers may choose, and that some version does not have. */
function missingOffered({ decisions, profiles }: Generation): readonly Problem[] {
  const problems: Problem[] = [];
  for (const { id, offered, versions } of decisions.values()) {
    for (const name of offered) {
      for (const { decision } of versions.values()) {
        if (profiles?.bindNamed(decision, name) !== undefined) continue;
        const path = `/callerProfiles/${escapePointer(id)}`;
        const message = `"${name}" needs a profile "${id}#${name}", for version ${decision.version}`;
        problems.push({ path, message });
      }
    }
  }
  return problems;
}

function checkDecisions(
  given: unknown,
  awaited: readonly string[],
): {
  readonly decisions: readonly Decision[];
  readonly problems: readonly Problem[];
} {
  if (!Array.isArray(given))
    return { decisions: [], problems: [{ path: "/decisions", message: "must be a list" }] };
  const problems: Problem[] = [];
  const decisions: Decision[] = [];
  const seen = new Set<string>();
  const list: readonly unknown[] = given;
  for (const [index, decision] of list.entries()) {
    const path = `/decisions/${index}`;
    if (!isDecision(decision)) {
      problems.push({ path, message: whyNoDecision(decision) });
    } else if (awaited.includes(decision.id)) {
      problems.push({ path, message: `"${decision.id}" is the id of a contract too` });
    } else if (seen.has(`${decision.id}@${decision.version}`)) {
      const message = `"${decision.id}" is the id of an earlier decision of the same version, ${decision.version}`;
      problems.push({ path, message });
    } else {
      seen.add(`${decision.id}@${decision.version}`);
      decisions.push(decision);
    }
  }
  return { decisions, problems };
}

/** Names of the profiles that callers may choose, by decision id. */
type Offered = Readonly<Record<string, readonly string[] | undefined>>;

const names = kinds.listOf(kinds.nonEmptyText);

/**
 * Reads the `callerProfiles` option, whether or not there are profiles of those names.
 *
 * @returns no names where something is wrong with them
 */
function readOffered(
  given: unknown,
  ids: ReadonlyMap<string, unknown>,
): { readonly offered: Offered; readonly problems: readonly Problem[] } {
  const problems = offeredProblems(given, ids);
  if (given === undefined || problems.length > 0) return { offered: {}, problems };
  // Each list has been checked to be one of texts.
  return { offered: given as Offered, problems };
}

function offeredProblems(offered: unknown, ids: ReadonlyMap<string, unknown>): readonly Problem[] {
  if (offered === undefined) return [];
  if (!isJsonObject(offered)) return [{ path: "/callerProfiles", message: "must be an object" }];
  return Object.entries(offered).flatMap(([id, list]) => {
    const path = `/callerProfiles/${escapePointer(id)}`;
    if (!ids.has(id)) return [{ path, message: "does not belong to any decision" }];
    return list === undefined ? [] : names(list, path);
  });
}

const shadowPolicy = kinds.group({
  version: option(kinds.nonEmptyText),
  decision: option(decisionKind),
  sample: option(kinds.share),
} satisfies RowsOf<ShadowPolicy>);

/** The shadow of each id, and what is wrong with the `shadow` option. */
interface CheckedShadows {
  readonly shadows: ReadonlyMap<string, ShadowChoice>;
  readonly problems: readonly Problem[];
}

/** @param served - every version of each id */
function checkShadows(
  shadow: unknown = {},
  served: ReadonlyMap<string, readonly Decision[]>,
): CheckedShadows {
  if (!isJsonObject(shadow))
    return { shadows: new Map(), problems: [{ path: "/shadow", message: "must be an object" }] };
  const problems: Problem[] = [];
  const shadows = new Map<string, ShadowChoice>();
  for (const [id, value] of Object.entries(shadow)) {
    if (value === undefined) continue;
    const path = `/shadow/${escapePointer(id)}`;
    const versions = served.get(id);
    if (versions === undefined) {
      problems.push({ path, message: "does not belong to any decision" });
      continue;
    }
    const found = [...shadowPolicy(value, path)];
    if (found.length === 0 && isJsonObject(value)) {
      const { version, decision, sample = 1 } = value;
      const candidate = isDecision(decision) ? decision : versions.find((other) => other.version === version);
      if ((version === undefined) === (decision === undefined))
        found.push({ path, message: "needs either version or decision" });
      else if (candidate === undefined)
        found.push({ path: `${path}/version`, message: `"${version}" is not a version of this decision` });
      else if (typeof sample === "number") shadows.set(id, { candidate, sample });
    }
    problems.push(...found);
  }
  return { shadows, problems };
}
