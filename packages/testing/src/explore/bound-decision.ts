import { type Decision, withProfile } from "@decern/core";
import { createCatalogue, program } from "@decern/core/tools";
import type { ExploreOptions } from "./exploration.js";

/** A decision with its profile, and those of the decisions that it uses. */
export interface BoundDecision {
  readonly decision: Decision;
  /** For the decisions that it uses. */
  readonly profiles: { profileOf(decision: Decision): unknown };
  /** The profile that one of them is evaluated with. */
  profileOf(decision: Decision): unknown;
}

/**
 * Gives a decision the profile of `options`.
 *
 * @throws DecernError `INVALID_OPTIONS` when a profile breaks its schema
 */
export function bindDecision(
  decision: Decision,
  { profile, profiles = {} }: Pick<ExploreOptions, "profile" | "profiles">,
): BoundDecision {
  const keys = new Set(withUsed(decision).flatMap(({ id, version }) => [id, `${id}@${version}`] as const));
  // A host's profiles are those of all of its decisions.
  const own = Object.fromEntries(Object.entries<unknown>(profiles).filter(([key]) => keys.has(key)));
  const catalogue = createCatalogue([decision], own);
  const lookup = { profileOf: (one: Decision): unknown => catalogue.profiles?.profileOf(one) };
  const bound =
    profile === undefined
      ? catalogue.bind(decision)
      : withProfile<unknown, unknown, unknown, string>(decision, profile);
  return {
    decision: bound,
    profiles: lookup,
    profileOf: (one) =>
      one === bound || one === decision
        ? bound[program].boundProfile
        : (lookup.profileOf(one) ?? one[program].boundProfile),
  };
}

function withUsed(decision: Decision): readonly Decision[] {
  return [decision, ...decision.uses.flatMap(withUsed)];
}
