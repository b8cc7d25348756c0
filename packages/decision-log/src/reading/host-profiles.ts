import { isJsonObject } from "@decern/core/schema";

/**
 * Hashes of the host's profiles that a record needs. Without a payload nobody can tell whether the caller brought the profile, and
 * which decisions were used.
 */
export function hostProfiles({
  profileHash,
  masked,
  payload,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!isJsonObject(payload)) return [];
  const isOwn = "profile" in payload || (Array.isArray(masked) && masked.includes("/profile"));
  return [...(isOwn ? [] : [profileHash]), ...usedProfiles(payload["used"])];
}

/** What was masked has no hash any more. */
function usedProfiles(used: unknown): readonly string[] {
  if (!Array.isArray(used)) return [];
  return used
    .filter(isJsonObject)
    .flatMap(({ profileHash, used: own }) => [
      ...(typeof profileHash === "string" ? [profileHash] : []),
      ...usedProfiles(own),
    ]);
}
