import type { Decision } from "@decern/core";
import { parseProfileKey } from "@decern/core/tools";
import { CommandError } from "../command-line/command.js";

type Profiles = Readonly<Record<string, unknown>>;

/** The profiles of decisions and of those that they use. A worker doesn't need the others. */
export function profilesOf(decisions: readonly Decision[], profiles: Profiles = {}): Profiles {
  const all = decisions.flatMap(withUsed);
  const isKnown = (text: string): boolean => {
    const key = parseProfileKey(text);
    return all.some(({ id, version }) => id === key?.id && (key.version ?? version) === version);
  };
  return Object.fromEntries(Object.entries(profiles).filter(([key]) => isKnown(key)));
}

/** A decision and those that it uses, at every depth. */
export function withUsed(decision: Decision): readonly Decision[] {
  return [decision, ...decision.uses.flatMap(withUsed)];
}

/**
 * Profiles with a named one of a decision in place of its default.
 *
 * @throws CommandError when there is none of that name
 */
export function withNamedProfile(
  profiles: Profiles,
  { id, version }: Decision,
  name: string | undefined,
): Profiles {
  if (name === undefined) return profiles;
  const own = [`${id}@${version}#${name}`, `${id}#${name}`].find((key) => Object.hasOwn(profiles, key));
  if (own === undefined) {
    throw new CommandError(`--profile-name needs a profile "${id}#${name}", and there is none`);
  }
  return { ...profiles, [`${id}@${version}`]: profiles[own] };
}
