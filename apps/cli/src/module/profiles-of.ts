import type { Decision } from "@decern/core";

/** The profiles of a module that belong to a decision or to what it uses. Those of others are nobody's in a worker. */
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
