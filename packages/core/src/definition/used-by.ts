import type { Decision } from "./decision.js";

/** Everything that these decisions use, at every depth. */
export function usedBy(decisions: readonly Decision[]): ReadonlySet<Decision> {
  const used = new Set<Decision>();
  const add = (decision: Decision): void => {
    if (used.has(decision)) return;
    used.add(decision);
    decision.uses.forEach(add);
  };
  for (const { uses } of decisions) uses.forEach(add);
  return used;
}
