import type { Decision } from "@decern/core";
import { createCatalogue } from "@decern/core/tools";
import { chooseDecision, type Wanted } from "./choose-decision.js";
import { type DecisionModule, loadModule } from "./load-module.js";
import { type ProfileFile, withProfiles } from "./profile-file.js";
import { profilesOf, withNamedProfile } from "./profiles-of.js";

/** What the command line says about the decision. It can go to another thread. */
export interface DecisionSettings extends ChosenWork {
  /** Path of the module. */
  readonly module: string;
  readonly cwd: string;
  /** @default the profiles of the module */
  readonly profiles: ProfileFile | undefined;
}

interface ChosenWork extends Wanted {
  /** Of a named profile. @default the default profile */
  readonly profileName: string | undefined;
}

/** What is evaluated, again and again. */
export interface DecisionWork {
  readonly decision: Decision;
  readonly profiles: Readonly<Record<string, unknown>>;
}

/**
 * Loads the module and chooses its decision.
 *
 * @throws CommandError when the module cannot be loaded, does not have the decision, the version or the profile, or refuses the
 * file of profiles
 */
export async function decisionWork(settings: DecisionSettings): Promise<DecisionWork> {
  const module = await loadModule(settings.module, settings.cwd);
  return chosenWork(withProfiles(module, settings.profiles), settings);
}

/** @throws CommandError when the module does not have the decision, the version or the profile */
export function chosenWork(
  { decisions, profiles, versions }: DecisionModule,
  chosen: ChosenWork,
): DecisionWork {
  const decision = chooseDecision(createCatalogue(decisions, profiles, versions), chosen);
  return {
    decision,
    profiles: withNamedProfile(profilesOf([decision], profiles), decision, chosen.profileName),
  };
}
