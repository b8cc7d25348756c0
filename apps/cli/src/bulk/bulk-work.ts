import type { Decision } from "@decern/core";
import { createCatalogue } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { chooseDecision } from "../module/choose-decision.js";
import { loadModule } from "../module/load-module.js";
import { profilesOf } from "../worker/profiles-of.js";

/** What the command line says about the decision. It can go to another thread. */
export interface BulkSettings {
  /** Path of the module. */
  readonly module: string;
  readonly cwd: string;
  readonly id: string;
  /** @default the server's default version */
  readonly version: string | undefined;
  /** @default that of the module */
  readonly profile: unknown;
  /** JSON Pointers of what records leave out. */
  readonly mask: readonly string[];
}

export function isBulkSettings(value: unknown): value is BulkSettings {
  return (
    isJsonObject(value) &&
    typeof value["module"] === "string" &&
    typeof value["id"] === "string" &&
    Array.isArray(value["mask"])
  );
}

/** What is evaluated. */
interface BulkWork {
  readonly decision: Decision;
  readonly profiles: Readonly<Record<string, unknown>>;
}

/**
 * Loads the module and chooses its decision.
 *
 * @throws CommandError when the module cannot be loaded, or does not have the decision or the version
 */
export async function bulkWork({ module, cwd, id, version, profile }: BulkSettings): Promise<BulkWork> {
  const { decisions, profiles, versions } = await loadModule(module, cwd);
  const decision = chooseDecision(createCatalogue(decisions, profiles, versions), { id, version });
  const own = profile === undefined ? {} : { [`${id}@${decision.version}`]: profile };
  return { decision, profiles: { ...profilesOf(decision, profiles), ...own } };
}
