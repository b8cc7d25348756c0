import type { Decision } from "@decern/core";

/** The module's profiles of a decision and its used decisions. A worker doesn't need the others. */
export function profilesOf(
  decision: Decision,
  profiles: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const known = new Set(withUsed(decision).flatMap(({ id, version }) => [id, `${id}@${version}`]));
  return Object.fromEntries(Object.entries(profiles).filter(([key]) => known.has(key)));
}

function withUsed(decision: Decision): readonly Decision[] {
  return [decision, ...decision.uses.flatMap(withUsed)];
}
