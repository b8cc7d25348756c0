import {
  bySize,
  type DecisionLock,
  type LockCheck,
  type LockDifference,
  type LockedDecision,
  type LockedModule,
  type LockedVersion,
  type UnchangingCondition,
} from "./lock.js";
import { type Evaluated, type ModuleVersion, versionsOf } from "./module-versions.js";

/**
 * Compares the behaviour of decisions with a lock.
 *
 * @throws DecernError `INVALID_OPTIONS` when a host could not serve the module
 */
export function checkLock(module: LockedModule, lock: DecisionLock): LockCheck {
  const versions = versionsOf(module);
  return { ...compare(versions, lock), unchanging: versions.flatMap((one) => unchangingOf(one, lock)) };
}

/** The versions that do not behave as locked. */
export function compare(
  versions: readonly ModuleVersion[],
  lock: DecisionLock,
): Omit<LockCheck, "unchanging"> {
  const differences: LockDifference[] = [];
  const unlocked: string[] = [];
  for (const version of versions) {
    const decision = lockedDecision(lock, version.id);
    const locked = lockedVersion(decision, version.version);
    if (decision === undefined || locked === undefined) unlocked.push(version.key);
    else differences.push(...differencesOf(version, decision, locked, lock.now));
  }
  const present = new Set(versions.map(({ key }) => key));
  const gone = Object.entries(lock.decisions)
    .flatMap(([id, decision]) => Object.keys(decision.versions).map((version) => `${id}@${version}`))
    .filter((key) => !present.has(key));
  return { differences, unlocked, gone };
}

export function lockedDecision(lock: DecisionLock | undefined, id: string): LockedDecision | undefined {
  return lock !== undefined && Object.hasOwn(lock.decisions, id) ? lock.decisions[id] : undefined;
}

export function lockedVersion(
  decision: LockedDecision | undefined,
  version: string,
): LockedVersion | undefined {
  return decision !== undefined && Object.hasOwn(decision.versions, version)
    ? decision.versions[version]
    : undefined;
}

/** An input with a different result. */
interface Changed {
  readonly input: unknown;
  readonly before: string;
  readonly evaluated: Evaluated;
}

/** @returns one difference, or none */
function differencesOf(
  version: ModuleVersion,
  { inputs }: LockedDecision,
  locked: LockedVersion,
  now: string,
): readonly LockDifference[] {
  const changed: Changed[] = [];
  for (const [index, [before, digest]] of locked.envelopes.entries()) {
    const input = inputs[index];
    const evaluated = version.evaluate(input, now);
    const [after, today] = evaluated.envelope;
    if (after !== before || today !== digest) changed.push({ input, before, evaluated });
  }
  const [smallest] = changed.sort((a, b) => bySize(a.input, b.input));
  if (smallest === undefined) return [];
  const { input, before, evaluated } = smallest;
  return [
    {
      decisionId: version.id,
      version: version.version,
      inputs: changed.length,
      smallest: { input, before, after: evaluated.envelope[0], result: evaluated.result },
      isProfileChanged: !hasSameProfiles(version, locked),
    },
  ];
}

function hasSameProfiles({ profiles }: ModuleVersion, locked: LockedVersion): boolean {
  const [today, before] = [profiles.usedProfileHashes ?? {}, locked.usedProfileHashes ?? {}];
  // Using another version of a decision does not change a profile.
  return (
    profiles.profileHash === locked.profileHash &&
    Object.entries(today).every(([key, hash]) => !Object.hasOwn(before, key) || before[key] === hash)
  );
}

/** The conditions of a locked version that have the same value for every locked input. */
function unchangingOf(version: ModuleVersion, lock: DecisionLock): readonly UnchangingCondition[] {
  const decision = lockedDecision(lock, version.id);
  const locked = lockedVersion(decision, version.version);
  if (decision === undefined || locked === undefined) return [];
  let evaluated = 0;
  const matched = new Map<string, number>();
  const failed = new Map<string, number>();
  const count = (counts: Map<string, number>, ruleIds: readonly string[]): void => {
    for (const ruleId of ruleIds) counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
  };
  for (const input of decision.inputs.slice(0, locked.envelopes.length)) {
    const conditions = version.conditions(input, lock.now);
    if (conditions === undefined) continue;
    evaluated += 1;
    count(matched, conditions.matched);
    count(failed, conditions.failed);
  }
  const last = version.decision.ruleIds.at(-1);
  return version.decision.ruleIds.flatMap((ruleId) => {
    const value = matched.has(ruleId);
    const isMissed = evaluated > (matched.get(ruleId) ?? 0) + (failed.get(ruleId) ?? 0);
    return (value && isMissed) || (value && ruleId === last)
      ? []
      : [{ decisionId: version.id, version: version.version, ruleId, value }];
  });
}
