import type { Decision, UsedRecord } from "@decern/core";

/** Everything that a decision uses, at every depth, by {@link revisionKey}. */
export function usedDecisions(decision: Decision): ReadonlyMap<string, Decision> {
  const found = new Map<string, Decision>();
  const add = (used: Decision): void => {
    const key = revisionKey(used);
    if (found.has(key)) return;
    found.set(key, used);
    used.uses.forEach(add);
  };
  decision.uses.forEach(add);
  return found;
}

/** Whether a test holds for everything that a record says was used, at every depth. */
export function everyUsed(
  used: readonly UsedRecord[] | undefined,
  test: (used: UsedRecord) => boolean,
): boolean {
  return used === undefined || used.every((one) => test(one) && everyUsed(one.used, test));
}

export function revisionKey({ id, version }: { readonly id: string; readonly version: string }): string {
  return `${id}@${version}`;
}
