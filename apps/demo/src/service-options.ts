import type { Decision } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { apiKeys, type ServerOptions } from "@decern/server";
import { readProfiles } from "./cli/read-profiles.js";
import type { Settings } from "./cli/settings.js";
import { decisions, defaultProfiles } from "./decisions/index.js";

/**
 * What the demo service is made of.
 *
 * @throws UsageError when there is no such file of profiles, or it is no JSON object
 */
export function serviceOptions(settings: Settings): ServerOptions {
  const file = settings.profilesFile;
  // What a file holds is known when the server has checked it, not before.
  const catalogue: readonly Decision[] = decisions;
  const profiles: Readonly<Record<string, unknown>> = {
    ...defaultProfiles,
    ...(file === undefined ? {} : readProfiles(file)),
  };
  return {
    decisions: catalogue,
    profiles,
    cors: settings.cors,
    allowProfileOverride: settings.profileOverride,
    authenticate: settings.apiKeys.length === 0 ? undefined : apiKeys({ keys: settings.apiKeys }),
    overload: settings.maxDelayMs === undefined ? undefined : { maxEventLoopDelayMs: settings.maxDelayMs },
    metrics: metrics({ enabled: settings.metrics }),
    openapi: openapi({
      enabled: settings.openapi,
      info: {
        title: "Decern demo",
        version: "1.0.0",
        description: "Four decisions to try: a loan, a card payment, a patient, a document.",
        license: { name: "MIT" },
      },
    }),
  };
}
