import type { Decision, ProfilesOf } from "../definition/decision.js";
import type { Facade } from "../facades/facade.js";
import { type OptionTable, optionKinds } from "../options/option-kinds.js";
import type { ProfileResolver } from "../profiles/profile-resolver.js";
import type { ProfileSource } from "../profiles/profile-source.js";
import type { ShadowsOf } from "../versions/shadow.js";
import type { VersionsOf } from "../versions/version-policy.js";

/** What every host that serves several decisions takes. */
export interface DecisionSetOptions<Decisions extends readonly Decision[] = readonly Decision[]> {
  /** The decisions to serve. */
  readonly decisions: Decisions;
  /**
   * Profiles by decision id, checked at start. The key `id@version` is for one version, `id#name` for a profile that is used
   * only where somebody names it. Or what `watchProfiles` returned: until that has loaded its first set, calls get 503
   * `PROFILES_NOT_LOADED`.
   */
  readonly profiles?: ProfilesOf<NoInfer<Decisions>> | ProfileSource | undefined;
  /** Chooses the profile of each call. `undefined` takes the default profile. */
  readonly profileResolver?: ProfileResolver | undefined;
  /** Which versions are served, by decision id. Required for an id that has several. */
  readonly versions?: VersionsOf<NoInfer<Decisions>> | undefined;
  /** Candidates to evaluate too, after the reply, by decision id. */
  readonly shadow?: ShadowsOf<NoInfer<Decisions>> | undefined;
  /** Protocols to speak besides, such as what `authzen` of `@decern/authzen` returns. @default none */
  readonly facades?: readonly Facade[] | undefined;
}

const { anything, callback, listOf, object } = optionKinds;

/** The kinds of {@link DecisionSetOptions}. `prepareCatalogue` checks what is inside. */
export const decisionSetOptionKinds: OptionTable<DecisionSetOptions> = {
  decisions: listOf(anything),
  profiles: object,
  profileResolver: callback,
  versions: object,
  shadow: object,
  facades: listOf(anything),
};
