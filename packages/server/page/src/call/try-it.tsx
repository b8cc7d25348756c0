import { useMemo, useRef, useState } from "preact/hooks";
import type { DocsDecision } from "../../../src/docs/docs-data.js";
import { Outcome } from "../answer/outcome.js";
import { draftIssues, hasDraft } from "../model/draft.js";
import type { Edited } from "../model/edited.js";
import { isObject, sameJson } from "../model/json.js";
import { readPointer } from "../model/pointer.js";
import { issuesOf, type Reply } from "../model/reply.js";
import { type SharedCall, toFragment } from "../model/share-link.js";
import { workedExamples } from "../model/worked-examples.js";
import { CopyButton } from "../parts/copy-button.js";
import { Icon } from "../parts/icons.js";
import { evaluate, evaluationUrl } from "../service/api.js";
import { CallSnippets } from "./call-snippets.js";
import { ExampleBar } from "./example-bar.js";
import { ProfileEditor } from "./profile-editor.js";
import { ValueEditor } from "./value-editor.js";

export interface TryItProps {
  readonly id: string;
  /** The version that calls name, if they name one. */
  readonly version: string | undefined;
  readonly decision: DocsDecision;
  /** A call to restore, from a share link. */
  readonly shared: SharedCall | undefined;
  readonly apiKey: string;
  readonly secured: boolean;
  readonly profileOverride: boolean;
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
}

/** The form for a call, and its outcome. */
export function TryIt({
  id,
  version,
  decision,
  shared,
  apiKey,
  secured,
  profileOverride,
  profileMerge,
}: TryItProps) {
  const examples = useMemo(() => workedExamples(decision, profileOverride), [decision, profileOverride]);
  const first: SharedCall = shared ?? examples[0] ?? { input: {} };
  const [input, setInput] = useState<Edited>({ value: first.input });
  const [profile, setProfile] = useState<Edited | undefined>(
    first.profile === undefined || !profileOverride ? undefined : { value: first.profile },
  );
  const [profileName, setProfileName] = useState(first.profileName);
  const [reply, setReply] = useState<Reply>();
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLElement>(null);

  // A profile that replaces the host's leaves nothing for a name to choose.
  const named = profile === undefined || profileMerge ? profileName : undefined;
  const call: SharedCall = {
    input: input.value,
    ...(named === undefined ? {} : { profileName: named }),
    ...(profile === undefined ? {} : { profile: profile.value }),
  };
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

  const send = async () => {
    if (busy) return;
    if (brokenJson || hasDraft(call)) {
      requestAnimationFrame(() => focusWrong(form.current));
      return;
    }
    setBusy(true);
    const answer = await evaluate({ id, version, traced: decision.uses.length > 0 }, call, apiKey);
    setReply(answer);
    setBusy(false);
    requestAnimationFrame(() => {
      if (!focusWrong(form.current)) showTop(outcome.current);
    });
  };

  // An error applies to the value that was sent. Once that value has changed, the error is out of date.
  const issues = (part: "input" | "profile", now: unknown) => [
    ...draftIssues(now),
    ...(reply === undefined
      ? []
      : issuesOf(reply, part).filter(({ path }) => unchanged(reply.sent[part], now, path))),
  ];

  return (
    <div class="try">
      <form
        ref={form}
        class="card call"
        aria-labelledby="call-title"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            void send();
          }
        }}
      >
        <div class="card-head">
          <h2 id="call-title">Try it</h2>
          <CopyButton
            label="Share"
            icon="link"
            done="Link copied"
            text={() => {
              history.replaceState(null, "", toFragment(id, call, version));
              return location.href;
            }}
          />
        </div>
        <ExampleBar
          examples={examples}
          call={call}
          onPick={({ input, profile }) => {
            setInput({ value: input });
            setProfile(profile === undefined ? undefined : { value: profile });
            setProfileName(undefined);
            setReply(undefined);
          }}
          onClear={() => {
            setInput({ value: isObject(input.value) ? {} : undefined });
            setProfile(undefined);
            setProfileName(undefined);
            setReply(undefined);
          }}
        />
        <ValueEditor
          part="input"
          title="Input"
          schema={decision.inputSchema}
          edited={input}
          issues={issues("input", input.value)}
          onChange={setInput}
        />
        <ProfileEditor
          schema={decision.profileSchema}
          defaultProfile={decision.defaultProfile}
          namedProfiles={decision.namedProfiles}
          name={profileName}
          allowed={profileOverride}
          merges={profileMerge}
          edited={profile}
          issues={issues("profile", profile === undefined ? undefined : profile.value)}
          onChange={setProfile}
          onName={setProfileName}
        />
        <div class="send">
          {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
          <button type="submit" class="primary" aria-disabled={busy || mistake !== undefined}>
            <Icon name="play" />
            {busy ? "Evaluating…" : "Evaluate"}
          </button>
          <span class="keys">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
          {mistake === undefined ? null : <span class="field-error">{mistake}</span>}
        </div>
      </form>
      <div class="result-column">
        <Outcome
          sectionRef={outcome}
          decision={decision}
          reply={reply}
          stale={reply !== undefined && !sameJson(reply.sent, call)}
        />
        <CallSnippets url={evaluationUrl({ id, version })} body={call} secured={secured} note={snippetNote} />
      </div>
    </div>
  );
}

/** Moves the focus to the first place with an error, if there is one. */
function focusWrong(form: HTMLElement | null): boolean {
  const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true], .group.wrong");
  wrong?.focus();
  return wrong !== null && wrong !== undefined;
}

/** Scrolls to an element only if its top is out of sight. */
function showTop(element: HTMLElement | null): void {
  const top = element?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight * 0.75) element?.scrollIntoView({ block: "start" });
}

function unchanged(sent: unknown, now: unknown, pointer: string): boolean {
  return sameJson(readPointer(sent, pointer), readPointer(now, pointer));
}
