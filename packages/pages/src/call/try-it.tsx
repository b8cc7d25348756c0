import { Outcome } from "../answer/outcome.js";
import { ComparePanel } from "../compare/compare-panel.js";
import { ValueEditor } from "../form/value-editor.js";
import { HistoryPanel } from "../history/history.js";
import { isObject } from "../json/values.js";
import { versionOf } from "../model/reply.js";
import { evaluationUrl, serviceUrl } from "../service/api.js";
import { CallSnippets, ShareButton } from "./call-snippets.js";
import { ExampleBar } from "./example-bar.js";
import { FlipPanel } from "./flip-panel.js";
import { ProfileEditor } from "./profile-editor.js";
import { SendBar } from "./send-bar.js";
import { type TryItProps, type TryItState, useTryIt } from "./use-try-it.js";

/** The form for a call, and its outcome. */
export function TryIt(props: TryItProps) {
  const state = useTryIt(props);
  return (
    <div class="try">
      <CallForm {...props} state={state} />
      <Results {...props} state={state} />
    </div>
  );
}

interface PartProps extends TryItProps {
  readonly state: TryItState;
}

function CallForm({ decision, profileOverride, profileMerge, state, ...props }: PartProps) {
  const { input, start, send } = state;
  return (
    <form
      ref={state.form}
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
      <FormHead id={props.id} version={decision.version} unreadable={props.unreadable} state={state} />
      <ExampleBar
        examples={state.examples}
        call={state.call}
        proofs={state.proofs}
        onPick={({ input, profile }) => start({ input, ...(profile === undefined ? {} : { profile }) })}
        onClear={() => start({ input: isObject(input.value) ? {} : undefined })}
      />
      <ValueEditor
        part="input"
        title="Input"
        schema={decision.inputSchema}
        edited={input}
        issues={state.inputIssues}
        onChange={state.setInput}
      />
      <ProfileEditor
        schema={decision.profileSchema}
        defaultProfile={decision.defaultProfile}
        namedProfiles={decision.namedProfiles}
        name={state.profileName}
        allowed={profileOverride}
        merges={profileMerge}
        edited={state.profile}
        issues={state.profileIssues}
        onChange={state.changeProfile}
        onName={state.changeProfileName}
      />
      <SendBar
        reply={state.reply}
        busy={state.busy}
        mistake={state.mistake}
        onCancel={state.cancel}
        onShow={state.show}
      />
    </form>
  );
}

interface FormHeadProps extends Pick<TryItProps, "id" | "unreadable"> {
  /** The version that the page shows. */
  readonly version: string;
  readonly state: TryItState;
}

function FormHead({ id, version, unreadable, state: { undo, reply, call } }: FormHeadProps) {
  return (
    <>
      <div class="card-head">
        <h2 id="call-title">Try it</h2>
        {/* Not `disabled`, because a disabled button loses the keyboard focus. */}
        <button type="button" class="quiet" aria-disabled={undo === undefined} onClick={() => undo?.()}>
          Undo
        </button>
        <ShareButton id={id} version={versionOf(reply) ?? version} call={call} />
      </div>
      {unreadable ? (
        <p class="stale">The call in this link cannot be read. Here is the first example instead.</p>
      ) : null}
    </>
  );
}

function Results({ id, version, decision, apiKey, secured, live, state }: PartProps) {
  const { reply, call } = state;
  return (
    <div class="result-column">
      <Outcome
        sectionRef={state.outcome}
        decision={decision}
        reply={reply}
        stale={state.stale}
        secured={secured}
        onRetry={() => void state.send()}
      />
      <FlipPanel schema={decision.inputSchema} onApply={state.applyFlip} />
      <ComparePanel id={id} version={version} decision={decision} apiKey={apiKey} live={live} reply={reply} />
      <HistoryPanel past={state.past} onRestore={state.start} />
      <CallSnippets
        url={evaluationUrl({ id, version })}
        service={serviceUrl()}
        id={id}
        version={version}
        body={call}
        secured={secured}
        note={state.snippetNote}
      />
    </div>
  );
}
