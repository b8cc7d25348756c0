import type { RecordedDecision, ReevaluationRequest } from "../../model/data.js";
import type { Edited } from "../../model/edited.js";

/** Which profile to evaluate with: the one of the record, the host's, one that the host named, or edited JSON. */
export type ProfileChoice =
  | { readonly kind: "recorded" | "host" | "edited" }
  | { readonly kind: "named"; readonly name: string };

/** What the form for evaluating again says. */
export interface Rerunning {
  readonly version: string;
  readonly profile: ProfileChoice;
  readonly edited: Edited;
}

export function requestOf({ version, profile, edited }: Rerunning): ReevaluationRequest {
  if (profile.kind === "host") return { version, hostProfile: true };
  if (profile.kind === "named") return { version, profileName: profile.name };
  return profile.kind === "edited" ? { version, profile: edited.value } : { version };
}

/** The version to offer first: the recorded one, else the service's default. */
export function firstVersion({ versions }: RecordedDecision, recorded: string): string | undefined {
  const served = versions.find((one) => one.version === recorded);
  const standard = served ?? versions.find((one) => one.default === true) ?? versions[0];
  return standard?.version;
}
