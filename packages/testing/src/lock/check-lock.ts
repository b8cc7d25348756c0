import type {
  DecisionLock,
  LockCheck,
  LockDifference,
  LockedDecision,
  LockedModule,
  LockedVersion,
  UnchangingCondition,
} from "./lock.js";
import { bySize } from "./lock.js";
import { type Answer, type Subject, subjectsOf } from "./subject.js";

/**
 * Compares what decisions do with a lock.
 *
 * @throws DecernError `INVALID_OPTIONS` when a host could not serve the module
 */
export function checkLock(module: LockedModule, lock: DecisionLock): LockCheck {
  const subjects = subjectsOf(module);
  return { ...compare(subjects, lock), unchanging: subjects.flatMap((one) => unchangingOf(one, lock)) };
}

/** What does not behave as locked. */
export function compare(subjects: readonly Subject[], lock: DecisionLock): Omit<LockCheck, "unchanging"> {
  const differences: LockDifference[] = [];
  const unlocked: string[] = [];
  for (const subject of subjects) {
    const decision = lockedDecision(lock, subject.id);
    const version = lockedVersion(decision, subject.version);
    if (decision === undefined || version === undefined) unlocked.push(subject.key);
    else differences.push(...differencesOf(subject, decision, version, lock.now));
  }
  const present = new Set(subjects.map(({ key }) => key));
  const gone = Object.entries(lock.decisions)
    .flatMap(([id, { versions }]) => Object.keys(versions).map((version) => `${id}@${version}`))
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

/** One input that comes out otherwise. */
interface Changed {
  readonly input: unknown;
  readonly before: string;
  readonly answer: Answer;
}

/** @returns one difference, or none */
function differencesOf(
  subject: Subject,
  { inputs }: LockedDecision,
  locked: LockedVersion,
  now: string,
): readonly LockDifference[] {
  const changed: Changed[] = [];
  for (const [index, [before, digest]] of locked.envelopes.entries()) {
    const input = inputs[index];
    const answer = subject.answer(input, now);
    const [after, today] = answer.envelope;
    if (after !== before || today !== digest) changed.push({ input, before, answer });
  }
  const [smallest] = changed.sort((a, b) => bySize(a.input, b.input));
  if (smallest === undefined) return [];
  const { input, before, answer } = smallest;
  return [
    {
      decisionId: subject.id,
      version: subject.version,
      inputs: changed.length,
      smallest: { input, before, after: answer.envelope[0], result: answer.result },
      isProfileChanged: !hasSameProfiles(subject, locked),
    },
  ];
}

function hasSameProfiles({ profiles }: Subject, locked: LockedVersion): boolean {
  const [today, before] = [profiles.usedProfileHashes ?? {}, locked.usedProfileHashes ?? {}];
  // A decision that is used in another version now is no change of a profile.
  return (
    profiles.profileHash === locked.profileHash &&
    Object.entries(today).every(([key, hash]) => !Object.hasOwn(before, key) || before[key] === hash)
  );
}

/** The conditions of a locked version that have the same value for every locked input. */
function unchangingOf(subject: Subject, lock: DecisionLock): readonly UnchangingCondition[] {
  const decision = lockedDecision(lock, subject.id);
  const locked = lockedVersion(decision, subject.version);
  if (decision === undefined || locked === undefined) return [];
  const values = new Map(subject.decision.ruleIds.map((ruleId) => [ruleId, new Set<boolean>()] as const));
  for (const input of decision.inputs.slice(0, locked.envelopes.length))
    for (const [ruleId, value] of subject.conditions(input, lock.now)) values.get(ruleId)?.add(value);
  const last = subject.decision.ruleIds.at(-1);
  return [...values].flatMap(([ruleId, seen]) => {
    const value = seen.has(true);
    return seen.size > 1 || (value && ruleId === last)
      ? []
      : [{ decisionId: subject.id, version: subject.version, ruleId, value }];
  });
}
