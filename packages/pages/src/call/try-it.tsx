import type { ComponentChildren } from "preact";
import { Outcome, Reasons } from "../answer/outcome.js";
import { ComparePanel, useCarried, useCompared } from "../compare/compare-panel.js";
import { ModelSection } from "../dmn/model-section.js";
import { ValueEditor } from "../form/value-editor.js";
import { HistoryPanel } from "../history/history.js";
import { isObject } from "../json/values.js";
import { versionOf } from "../model/reply.js";
import { QuietButton } from "../parts/controls.js";
import { Tabs } from "../parts/tabs.js";
import { evaluationUrl, serviceUrl } from "../service/api.js";
import { CallSnippets, ShareButton } from "./call-snippets.js";
import { CallTable } from "./call-table.js";
import { ExampleBar } from "./example-bar.js";
import { FlipPanel } from "./flip-panel.js";
import { ProfileEditor } from "./profile-editor.js";
import { SendBar } from "./send-bar.js";
import { type PartProps, useTableParts } from "./table-parts.js";
import { type TryItProps, type TryItState, useTryIt } from "./use-try-it.js";

/** The form for a call, and its outcome, which stays in sight while the form and what is below it scroll. */
export function TryIt({ children, ...props }: TryItProps & { readonly children: ComponentChildren }) {
  const state = useTryIt(props);
  const { id, version, decision, apiKey } = props;
  const table = useTableParts(decision, { id, version }, apiKey);
  return (
    <div class={table.isTable ? "try with-table" : "try"}>
      {table.isTable ? <CallTable {...props} state={state} table={table} /> : null}
      <CallForm {...props} state={state} table={table} />
      <Results {...props} state={state} table={table} />
      <ModelSection reference={{ id, version }} reply={state.reply} {...{ decision, apiKey }} />
      {children}
    </div>
  );
}

function CallForm(props: PartProps) {
  const { id, decision, state } = props;
  const { start, send } = state;
  return (
    <form
      ref={state.form}
      class="card call"
      aria-labelledby="call-title"
      noValidate
      onFocusOut={({ target }) => {
        if (target instanceof HTMLElement) state.touch(target.id);
      }}
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
      <FormHead id={id} version={decision.version} state={state} />
      <ExampleBar
        examples={state.examples}
        call={state.call}
        proofs={state.proofs}
        ruleIds={decision.ruleIds}
        onPick={({ input, profile }) => start({ input, ...(profile === undefined ? {} : { profile }) })}
        onClear={() => start({ input: isObject(state.input.value) ? {} : undefined })}
      />
      <Editors {...props} />
      <SendBar
        reply={state.reply}
        meta={decision.meta}
        busy={state.busy}
        missing={state.missing}
        old={state.updating || state.stale !== undefined}
        updating={state.updating}
        mistake={state.mistake}
        onCancel={state.cancel}
        onShow={state.show}
      />
    </form>
  );
}

/** What a call consists of: the input, and maybe a profile. */
function Editors({ decision, profileOverride, profileMerge, state }: PartProps) {
  return (
    <>
      <ValueEditor
        part="input"
        title="Input"
        schema={decision.inputSchema}
        edited={state.input}
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
    </>
  );
}

interface FormHeadProps extends Pick<TryItProps, "id"> {
  /** The version that the page shows. */
  readonly version: string;
  readonly state: TryItState;
}

function FormHead({ id, version, state: { undo, reply, call, notice, isKept } }: FormHeadProps) {
  const { from, compare } = useCarried(version);
  return (
    <>
      <div class="card-head">
        <h2 id="call-title">Try it</h2>
        <QuietButton isOff={undo === undefined} onClick={() => undo?.()}>
          Undo
        </QuietButton>
        <ShareButton id={id} version={versionOf(reply) ?? version} call={call} />
      </div>
      {notice === undefined ? null : <p class="stale">{notice}</p>}
      {from === undefined || !isKept ? null : (
        <p class="carried">
          <span>Your input came along from version {from}.</span>
          <QuietButton onClick={compare}>Compare with {from}</QuietButton>
        </p>
      )}
    </>
  );
}

function Results(props: PartProps) {
  const { decision, live, records, state } = props;
  const { tab, showTab } = useCompared();
  return (
    <div class="result-column">
      <Outcome
        sectionRef={state.outcome}
        decision={decision}
        reply={state.reply}
        stale={state.stale}
        updating={state.updating}
        missing={state.missing}
        waiting={waitingText(live, records !== undefined)}
        onRetry={() => void state.send()}
      />
      <Tabs label="About this outcome" tabs={tabsOf(props)} chosen={tab} onChoose={showTab} />
    </div>
  );
}

function tabsOf({ id, version, decision, apiKey, secured, live, records, state, table }: PartProps) {
  const { reply } = state;
  const { loaded, marked } = table;
  const parts = loaded.state === "ready" ? loaded.value : undefined;
  const why = (
    <>
      <FlipPanel schema={decision.inputSchema} onApply={state.applyFlip} />
      <Reasons decision={decision} reply={reply} secured={secured} records={records}>
        {parts === undefined || marked === undefined ? null : (
          <parts.DecidingRows decision={decision} content={parts.content} marked={marked} />
        )}
      </Reasons>
    </>
  );
  const call = { url: evaluationUrl({ id, version }), service: serviceUrl(), id, version, secured };
  return [
    { id: "why", label: "Why", panel: why, isPrinted: true },
    {
      id: "compare",
      label: "Compare",
      panel: <ComparePanel {...{ id, version, decision, apiKey, live, reply }} />,
    },
    { id: "history", label: "History", panel: <HistoryPanel past={state.past} onRestore={state.start} /> },
    {
      id: "call",
      label: "Call it",
      panel: <CallSnippets {...call} body={state.call} note={state.snippetNote} />,
    },
  ];
}

/** Why there is no outcome yet: a page of a service that records waits to be asked. */
function waitingText(live: boolean, recording: boolean): string {
  if (live) return "Evaluating…";
  const waits = "Evaluate to see which rule matches, and why.";
  return recording ? `${waits} This service records each evaluation, so the page waits for you.` : waits;
}
