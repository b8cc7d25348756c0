import type { RecordedEvaluation, UsedEvaluation } from "@decern/core";
import { toErrorReply } from "@decern/core/host";
import { canonicalJson, program } from "@decern/core/tools";
import type { PayloadText } from "../record/draft.js";
import type { ProfileText, ProfileTexts } from "../record/profile-texts.js";
import { quote } from "../record/quote.js";
import type { PayloadContext } from "./masked-payload.js";

/** The payload of an evaluation from which nothing is removed. @returns `undefined` when something has to be */
export function payloadText(
  { decision, input, profile, result, error, used }: RecordedEvaluation,
  { profiles, usedProfiles, writesProfile }: PayloadContext,
): PayloadText | undefined {
  // Put together without a comma to cut off: what is cut is copied.
  let before = error === undefined ? "" : `"error":${errorText(error)}`;
  if (input !== undefined) {
    const text = canonicalJson(input);
    if (text === undefined) return undefined;
    before += before === "" ? `"input":${text}` : `,"input":${text}`;
  }
  if (writesProfile) {
    const text = canonicalJson(profile);
    if (text === undefined) return undefined;
    before += before === "" ? `"profile":${text}` : `,"profile":${text}`;
  }
  if (result !== undefined) {
    const text = decision[program].canonicalText(result);
    if (text === undefined) return undefined;
    before += before === "" ? `"result":${text}` : `,"result":${text}`;
  }
  if (used.length === 0) return { before, after: "" };
  const list = usedText(used, profiles, usedProfiles);
  return list === undefined ? undefined : { before, after: `"used":${list}` };
}

function errorText(error: unknown): string {
  const { code, message } = toErrorReply(error);
  return `{"code":${quote(code)},"message":${quote(message)}}`;
}

function usedText(
  used: readonly UsedEvaluation[],
  profiles: ProfileTexts,
  usedProfiles: ProfileText[],
): string | undefined {
  let text = "[";
  for (const one of used) {
    const { id, version } = one.decision;
    const result = one.decision[program].canonicalText(one.result);
    const own = one.used.length === 0 ? "" : usedText(one.used, profiles, usedProfiles);
    if (result === undefined || own === undefined) return undefined;
    const profile = profiles.of(one.profile);
    usedProfiles.push(profile);
    const rest = own === "" ? "" : `"used":${own},`;
    text += `${text === "[" ? "" : ","}{"id":${quote(id)},"profileHash":"${profile.hash}","result":${result},${rest}"version":${quote(version)}}`;
  }
  return `${text}]`;
}
