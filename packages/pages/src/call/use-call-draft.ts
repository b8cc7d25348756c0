import { useMemo, useState } from "preact/hooks";
import { draftIssues, type Edited, hasDraft, type SharedCall } from "../model/call.js";

/** What the form holds, and the call that it makes. */
export interface CallDraft {
  readonly input: Edited;
  /** Undefined where a profile of the host applies. */
  readonly profile: Edited | undefined;
  readonly profileName: string | undefined;
  /** The last valid call while the JSON is invalid. */
  readonly call: SharedCall;
  /** Whether the form can be sent. */
  readonly ready: boolean;
  /** What to fix before it can. */
  readonly mistake: string | undefined;
  /** Why code for this call is not what the form says. */
  readonly snippetNote: string | undefined;
  setInput(input: Edited): void;
  setProfile(profile: Edited | undefined): void;
  setProfileName(name: string | undefined): void;
  /** Fills the whole form. */
  fill(call: SharedCall): void;
}

interface CallDraftOptions {
  readonly first: SharedCall;
  readonly profileOverride: boolean;
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
}

/** Keeps what the form holds while it is edited, also where that isn't a call yet. */
export function useCallDraft({ first, profileOverride, profileMerge }: CallDraftOptions): CallDraft {
  const profileOf = (call: SharedCall): Edited | undefined =>
    call.profile === undefined || !profileOverride ? undefined : { value: call.profile };
  const [input, setInput] = useState<Edited>({ value: first.input });
  const [profile, setProfile] = useState(profileOf(first));
  const [profileName, setProfileName] = useState(first.profileName);

  // A profile that replaces the host's leaves nothing for a name to choose.
  const named = profile === undefined || profileMerge ? profileName : undefined;
  const brings = profile !== undefined;
  const [inputValue, profileValue] = [input.value, profile?.value];
  const call = useMemo(
    (): SharedCall => ({
      input: inputValue,
      ...(named === undefined ? {} : { profileName: named }),
      ...(brings ? { profile: profileValue } : {}),
    }),
    [inputValue, named, brings, profileValue],
  );
  const brokenJson = input.draft !== undefined || profile?.draft !== undefined;
  const mistake = brokenJson
    ? "Fix the JSON first."
    : draftIssues(call).length > 0
      ? "Fix the marked fields first."
      : undefined;
  const snippetNote = brokenJson
    ? "The JSON is invalid. This is the last valid call."
    : mistake === undefined
      ? undefined
      : "A field is invalid. This call contains its text instead of a value.";

  return {
    input,
    profile,
    profileName,
    call,
    ready: !brokenJson && !hasDraft(call),
    mistake,
    snippetNote,
    setInput,
    setProfile,
    setProfileName,
    fill: (call) => {
      setInput({ value: call.input });
      setProfile(profileOf(call));
      setProfileName(call.profileName);
    },
  };
}
