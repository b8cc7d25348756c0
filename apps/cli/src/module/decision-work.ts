import type { Decision } from "@decern/core";
import { createCatalogue } from "@decern/core/host";
import { chooseDecision } from "./choose-decision.js";
import { loadModule } from "./load-module.js";
import { profilesOf } from "./profiles-of.js";

/** What the command line says about the decision. It can go to another thread. */
export interface DecisionSettings {
  /** Path of the module. */
  readonly module: string;
  readonly cwd: string;
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
  /** @default that of the module */
  readonly profile: unknown;
}

/** What is evaluated, again and again. */
export interface DecisionWork {
  readonly decision: Decision;
  readonly profiles: Readonly<Record<string, unknown>>;
}

/**
 * Loads the module and chooses its decision.
 *
 * @throws CommandError when the module cannot be loaded, or does not have the decision or the version
 */
export async function decisionWork(settings: DecisionSettings): Promise<DecisionWork> {
  const { module, cwd, id, version, profile } = settings;
  const { decisions, profiles, versions } = await loadModule(module, cwd);
  const decision = chooseDecision(createCatalogue(decisions, profiles, versions), { id, version });
  const own = profile === undefined ? {} : { [`${id}@${decision.version}`]: profile };
  return { decision, profiles: { ...profilesOf(decision, profiles), ...own } };
}
