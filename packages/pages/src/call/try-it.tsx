import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Outcome } from "../answer/outcome.js";
import { ComparePanel } from "../compare/compare-panel.js";
import { ValueEditor } from "../form/value-editor.js";
import { draftOf, HistoryPanel, useKeptCalls } from "../history/history.js";
import { isObject, readPointer, sameJson } from "../json/values.js";
import { draftIssues, type SharedCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { workedExamples } from "../model/examples.js";
import { withValueAt } from "../model/flip-text.js";
import { issuesOf, versionOf } from "../model/reply.js";
import { evaluationUrl, serviceUrl } from "../service/api.js";
import { CallSnippets, ShareButton } from "./call-snippets.js";
import { ExampleBar, useProofs } from "./example-bar.js";
import { FlipPanel, useExplanation } from "./flip-panel.js";
import { ProfileEditor } from "./profile-editor.js";
import { focusWrong, isOutOfSight, SendBar } from "./send-bar.js";
import { useCallDraft } from "./use-call-draft.js";
import { useAddress, useEvaluation } from "./use-evaluation.js";

export interface TryItProps {
  readonly id: string;
  /** The version that calls name, if they name one. */
  readonly version: string | undefined;
  readonly decision: DocsDecision;
  /** A call to restore, from a share link. */
  readonly shared: SharedCall | undefined;
  /** Whether the address has a call that cannot be read. */
  readonly unreadable: boolean;
  readonly apiKey: string;
  readonly secured: boolean;
  readonly profileOverride: boolean;
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
  /** Whether the service tells what would change an answer. */
  readonly explains: boolean;
  /** Whether the page evaluates by itself after each change. */
  readonly live: boolean;
}

/** The form for a call, and its outcome. */
export function TryIt(props: TryItProps) {
  const { id, version, decision, shared, unreadable, apiKey, secured } = props;
  const { profileOverride, profileMerge, explains, live } = props;
  const examples = useMemo(() => workedExamples(decision, profileOverride), [decision, profileOverride]);
  const [kept] = useState(() => draftOf(id, version));
  const first: SharedCall = shared ?? kept ?? examples[0] ?? { input: {} };
  const draft = useCallDraft({ first, profileOverride, profileMerge });
  const { input, profile, profileName, call, ready, setInput, setProfile, setProfileName } = draft;
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLElement>(null);

  const traced = decision.uses.length > 0;
  const evaluation = useEvaluation({ id, version, call, ready, traced, apiKey, live });
  const proofs = useProofs({ id, version, examples, apiKey, live });
  const { reply } = evaluation;
  useAddress(call, id, version);
  useExplanation({ id, version, apiKey, explains, call, reply });

  const show = () => outcome.current?.scrollIntoView({ block: "start" });
  const send = async () => {
    if (evaluation.busy) return;
    if (!ready) {
      requestAnimationFrame(() => focusWrong(form.current));
      return;
    }
    const answer = await evaluation.send();
    if (answer === undefined) return;
    requestAnimationFrame(() => {
      if (!focusWrong(form.current) && isOutOfSight(outcome.current)) show();
    });
  };
  const restore = (call: SharedCall) => {
    draft.fill(call);
    evaluation.restart();
  };
  const { past, start, remember, undo } = useKeptCalls({
    id,
    version,
    call,
    untouched: examples[0],
    reply,
    restore,
  });

  const sendShared = useRef(shared !== undefined && !live && ready);
  useEffect(() => {
    // A shared call is shown with its outcome, also where the page does not evaluate by itself.
    if (sendShared.current) void send();
    sendShared.current = false;
  }, []);

  // An error applies to the value that was sent. Once that value has changed, the error is out of date.
  const issues = (part: "input" | "profile", now: unknown) => [
    ...draftIssues(now),
    ...(reply === undefined
      ? []
      : issuesOf(reply, part).filter(({ path }) => unchanged(reply.sent[part], now, path))),
  ];
  const note = live
    ? { isDue: !ready, text: "The form cannot be sent. This is the outcome of the last call that could." }
    : {
        isDue: reply !== undefined && !sameJson(reply.sent, call),
        text: "The form has changed. Evaluate again.",
      };
  const stale = reply !== undefined && note.isDue ? note.text : undefined;

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
          {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
          <button type="button" class="quiet" aria-disabled={undo === undefined} onClick={() => undo?.()}>
            Undo
          </button>
          <ShareButton id={id} version={versionOf(reply) ?? decision.version} call={call} />
        </div>
        {unreadable ? (
          <p class="stale">The call in this link cannot be read. Here is the first example instead.</p>
        ) : null}
        <ExampleBar
          examples={examples}
          call={call}
          proofs={proofs}
          onPick={({ input, profile }) => start({ input, ...(profile === undefined ? {} : { profile }) })}
          onClear={() => start({ input: isObject(input.value) ? {} : undefined })}
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
          onChange={(next) => {
            const isSwitched = (next === undefined) !== (profile === undefined);
            remember(isSwitched ? "profile" : "profile-fields");
            setProfile(next);
          }}
          onName={(name) => {
            remember("profile");
            setProfileName(name);
          }}
        />
        <SendBar
          reply={reply}
          busy={evaluation.busy}
          mistake={draft.mistake}
          onCancel={evaluation.cancel}
          onShow={show}
        />
      </form>
      <div class="result-column">
        <Outcome
          sectionRef={outcome}
          decision={decision}
          reply={reply}
          stale={stale}
          secured={secured}
          onRetry={() => void send()}
        />
        <FlipPanel
          schema={decision.inputSchema}
          onApply={(pointer, value) => {
            remember("call");
            setInput({ value: withValueAt(input.value, pointer, value) });
          }}
        />
        <ComparePanel
          id={id}
          version={version}
          decision={decision}
          apiKey={apiKey}
          live={live}
          reply={reply}
        />
        <HistoryPanel past={past} onRestore={start} />
        <CallSnippets
          url={evaluationUrl({ id, version })}
          service={serviceUrl()}
          id={id}
          version={version}
          body={call}
          secured={secured}
          note={draft.snippetNote}
        />
      </div>
    </div>
  );
}

function unchanged(sent: unknown, now: unknown, pointer: string): boolean {
  return sameJson(readPointer(sent, pointer), readPointer(now, pointer));
}
