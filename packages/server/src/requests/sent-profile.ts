import type { ProfileOverride } from "@decern/core";
import { type ErrorReply, type HostedDecision, type SentProfile, tableReply } from "@decern/core/host";

/** The body of a request to evaluate a decision. */
export type CallBody = Readonly<Record<string, unknown>>;

/** Why a caller may not bring, or choose, a profile as this body does. A field is present even if it is null or false. */
export function refuseProfile(
  body: CallBody,
  { offered }: HostedDecision,
  profileOverride: ProfileOverride,
): ErrorReply | undefined {
  const brings = Object.hasOwn(body, "profile");
  if (brings && profileOverride === false) return tableReply("PROFILE_OVERRIDE_FORBIDDEN");
  if (!Object.hasOwn(body, "profileName")) return undefined;
  const name = body["profileName"];
  // The same reply whether or not there is a profile of that name.
  if (typeof name !== "string" || !offered.has(name)) return tableReply("PROFILE_NOT_OFFERED");
  return brings && profileOverride === "replace"
    ? tableReply("BAD_REQUEST", "send either 'profile' or 'profileName'")
    : undefined;
}

/** What a body says of a profile. */
export function sentProfile(body: CallBody): SentProfile | undefined {
  const brings = Object.hasOwn(body, "profile");
  const name = Object.hasOwn(body, "profileName") ? body["profileName"] : undefined;
  if (!brings) return name === undefined ? undefined : { name };
  return { profile: body["profile"], name };
}
