import type { DecisionLog, DecisionRecord } from "@decern/core";
import { type Catalogue, lacksOwnProfile, withOwnProfile } from "@decern/core/tools";
import type { RecordDetail, RecordedDecision } from "@decern/pages";
import { versionsOf } from "../docs/describe-for-docs.js";

/** One record with everything that the page shows. */
export async function describeRecord(
  log: DecisionLog,
  catalogue: Catalogue,
  record: DecisionRecord,
): Promise<RecordDetail> {
  const profile = await profileOf(log, record);
  return {
    record: lacksOwnProfile(record) ? withOwnProfile(record, profile) : record,
    ...(profile === undefined ? {} : { profile }),
    decision: describeDecisionOf(record, catalogue),
  };
}

/** The profile that a record was made under: the caller's in its payload, or one of the host's. */
export async function profileOf(
  log: DecisionLog,
  { payload, profileHash }: DecisionRecord,
): Promise<unknown> {
  return payload !== null && Object.hasOwn(payload, "profile") ? payload.profile : log.profile(profileHash);
}

function describeDecisionOf(
  { decision: { id, version } }: DecisionRecord,
  catalogue: Catalogue,
): RecordedDecision | null {
  const hosted = catalogue.get(id);
  if (hosted === undefined) return null;
  const { profiles } = catalogue;
  const named = [...hosted.versions.values()].flatMap(({ decision }) => {
    const names = profiles?.namesOf(decision) ?? [];
    return names.length === 0 ? [] : [[decision.version, names] as const];
  });
  return {
    ruleIds: hosted.versions.get(version)?.decision.ruleIds ?? null,
    versions: versionsOf(hosted),
    profileNames: Object.fromEntries(named),
  };
}
