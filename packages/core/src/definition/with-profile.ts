import { type Decision, type HasProfile, program } from "./decision.js";
import type { ProfileInput } from "./given.js";

/**
 * Gives a decision a default profile, which is validated once and not at every evaluation. It is copied: changing what
 * was given changes nothing.
 *
 * @throws DecernError `INVALID_OPTIONS` when the profile breaks its schema
 */
export function withProfile<
  Input,
  Output,
  Profile,
  Id extends string,
  Uses extends readonly Decision[] = readonly Decision[],
  RuleId extends string = string,
  Version extends string = string,
>(
  decision: Decision<Input, Output, Profile, Id, RuleId, Version> & { readonly uses: Uses },
  profile: NoInfer<ProfileInput<Profile>>,
): Decision<Input, Output, Profile, Id, RuleId, Version> & { readonly uses: Uses } & HasProfile;
// Apart from the signature above, since no type of a program tells whether it is bound.
export function withProfile(decision: Decision, profile: unknown): Decision {
  return Object.freeze({ ...decision, [program]: decision[program].bind(profile) });
}
