import { checkLock } from "../lock/check-lock.js";
import type { DecisionLock, LockDifference, LockedModule } from "../lock/lock.js";
import { readLock } from "../lock/read-lock.js";
import { type Verdict, verdict } from "./verdict.js";

/** The matcher of a module's behaviour, for `expect.extend`. */
export const lockMatcher = {
  toMatchLock(received: LockedModule, lock: DecisionLock | string): Verdict {
    const { differences, unlocked } = checkLock(received, typeof lock === "string" ? readLock(lock) : lock);
    return verdict(differences.length === 0, "every version to behave as locked", () =>
      differences.length === 0
        ? `They do${unlocked.length === 0 ? "" : `; not locked yet: ${unlocked.join(", ")}`}`
        : differences.map(describe).join("\n\n"),
    );
  },
};

function describe({ decisionId, version, inputs, smallest, isProfileChanged }: LockDifference): string {
  const { input, before, after, result } = smallest;
  return [
    `${decisionId} ${version} gives ${inputs === 1 ? "a different result for 1 locked input" : `different results for ${inputs} locked inputs`}. Smallest:`,
    `  input:  ${JSON.stringify(input)}`,
    `  before: ${before}`,
    `  now:    ${after}`,
    `  ${JSON.stringify(result)}`,
    isProfileChanged
      ? "A profile was changed. If you meant that, lock again and accept this version."
      : "If you meant that, give it another version number.",
  ].join("\n");
}
