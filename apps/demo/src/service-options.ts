import type { ProfileSource } from "@decern/core";
import { explain } from "@decern/explain";
import { metrics } from "@decern/metrics";
import { openapi } from "@decern/openapi";
import { apiKeys, type RecordsAccess, type ServerOptions } from "@decern/server";
import { watchProfiles } from "@decern/watch";
import { rollOut, tenantProfile } from "./callers.js";
import { decisionRecords } from "./decision-records.js";
import { profiles, server } from "./decisions/index.js";
import type { Settings } from "./settings.js";

/** Watches a file of profiles. Those that are missing from it keep their built-in value. */
function watchedProfiles(file: string, everyMs: number): ProfileSource {
  const source = watchProfiles({ file, everyMs });
  return {
    ...source,
    watch: (host) =>
      source.watch({
        accept: (set) => host.accept({ ...set, profiles: { ...profiles, ...set.profiles } }),
        onLoad: (load) => host.onLoad(load),
      }),
  };
}

/** The caller that the page of records is for. */
const auditor = "auditor";

const mayLookAtRecords: RecordsAccess = ({ identity }) => identity?.caller === auditor;

function hasAuditor(keys: Settings["apiKeys"]): boolean {
  return keys !== undefined && Object.hasOwn(keys, auditor);
}

/** The options of the demo service. */
export function serviceOptions(settings: Settings): ServerOptions {
  const { apiKeys: keys, profilesFile, reloadMs, recordsFolder, subjectKey } = settings;
  return {
    ...rollOut(settings.rollOutPercent),
    profiles: profilesFile === undefined ? profiles : watchedProfiles(profilesFile, reloadMs),
    profileResolver: tenantProfile,
    callerProfiles: server.callerProfiles,
    cors: settings.cors,
    profileOverride: settings.profileOverride ? "replace" : false,
    authenticate: keys === undefined ? undefined : apiKeys({ keys }),
    overload: settings.maxDelayMs === undefined ? undefined : { maxEventLoopDelayMs: settings.maxDelayMs },
    maxConnectionAgeMs: settings.maxConnectionAgeMs,
    log: recordsFolder === undefined ? undefined : decisionRecords(recordsFolder, subjectKey),
    records: recordsFolder !== undefined && hasAuditor(keys) && mayLookAtRecords,
    explain: explain(),
    metrics: metrics({ enabled: settings.metrics }),
    openapi: openapi({
      enabled: settings.openapi,
      info: {
        title: "Decern demo",
        version: "1.0.0",
        description:
          "Six decisions to try: a loan, a card payment, a patient, a document, a purchase in instalments, and a parcel.",
        license: { name: "MIT" },
      },
    }),
  };
}
