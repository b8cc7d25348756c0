import type { DecisionRecord } from "./decision-record.js";

/** What a record says was removed from its payload where its profile is kept under its hash, as those of hosts are. */
export const profilePointer = "/profile";

/** Whether a caller brought the profile of a record, and the payload lacks it. The log may have it under its hash. */
export function lacksOwnProfile({ masked, payload }: DecisionRecord): boolean {
  return payload !== null && masked.includes(profilePointer);
}

/** A record as if its payload had the caller's profile. Its hashes are still those of the record as it was written. */
export function withOwnProfile(record: DecisionRecord, profile: unknown): DecisionRecord {
  const { masked, payload } = record;
  if (payload === null || profile === undefined) return record;
  const others = masked.filter((pointer) => pointer !== profilePointer);
  return { ...record, masked: others, payload: { ...payload, profile } };
}
