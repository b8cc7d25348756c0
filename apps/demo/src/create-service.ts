import type { Decision } from "@decern/core";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { createServer, type DecisionServer } from "@decern/server";
import { readProfiles } from "./cli/read-profiles.js";
import type { Settings } from "./cli/settings.js";
import { decisions, defaultProfiles } from "./decisions/index.js";

/** Wires the whole service together, ready to listen. */
export function createService(settings: Settings): DecisionServer {
  const file = settings.profilesFile;
  // What a file holds is known when the server has checked it, not before.
  const catalogue: readonly Decision[] = decisions;
  const profiles: Readonly<Record<string, unknown>> = {
    ...defaultProfiles,
    ...(file === undefined ? {} : readProfiles(file)),
  };
  return createServer({
    decisions: catalogue,
    profiles,
    cors: settings.cors,
    allowProfileOverride: settings.profileOverride,
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
  });
}
