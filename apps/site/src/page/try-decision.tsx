import {
  type CallDraft,
  draftIssues,
  ExampleBar,
  evaluatedRungs,
  type Issue,
  isObject,
  issuesOf,
  Ladder,
  ladderOf,
  type MarkedRows,
  Outcome,
  ProfileEditor,
  type Proofs,
  type Reply,
  sameJson,
  useCallDraft,
  useProofs,
  ValueEditor,
  type WorkedExample,
  workedExamples,
} from "@decern/pages/components";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PlaygroundCall } from "../base/state.js";
import type { OpenedDecision, Source, Told } from "../engine/messages.js";
import type { Sandbox } from "../sandbox/sandbox.js";
import { Console } from "./console.js";
import { TableParts, useTableCode } from "./table-parts.js";
import { useEvaluated } from "./use-playground.js";

const neverAborted = new AbortController().signal;

interface TryDecisionProps {
  readonly sandbox: Sandbox;
  readonly source: Source;
  readonly index: number;
  readonly decision: OpenedDecision;
  /** The call of a link. */
  readonly first: PlaygroundCall | undefined;
  /** Whether the code has changed since it ran. */
  readonly isOld: boolean;
  /** Whether it cannot run. */
  readonly isBroken: boolean;
  /** Called with a call other than the first. */
  readonly onCall: (call: PlaygroundCall) => void;
}

/** The form for a decision, and what the decision makes of what is in it. */
export function TryDecision(props: TryDecisionProps) {
  const { sandbox, source, index, decision, first, isOld, isBroken, onCall } = props;
  const examples = useMemo(() => workedExamples(decision, true), [decision]);
  const [start] = useState(() => first ?? callOf(examples[0] ?? { input: {} }));
  const draft = useCallDraft({ first: start, profileOverride: true, profileMerge: false });
  const { call, ready } = draft;
  useEffect(() => {
    if (!sameJson(call, start)) onCall(call);
  }, [call]);
  const evaluated = useEvaluated(sandbox, { source, index, call, isReady: ready });
  const reply = evaluated && replyOf(evaluated.call, evaluated.told);
  const proofs = useProofs(examples, async (one) =>
    replyOf(one, await sandbox.evaluate(source, index, one, neverAborted)),
  );
  const [marked, setMarked] = useState<MarkedRows>();
  const table = useTableCode(decision);
  const outcome = useRef<HTMLElement>(null);
  const parts = { decision, call, reply, isOld, table };
  return (
    <>
      <Outcome
        sectionRef={outcome}
        decision={decision}
        reply={reply}
        stale={staleText(isBroken, ready)}
        updating={isOld && !isBroken}
        missing={0}
        waiting="Evaluating…"
        onRetry={() => undefined}
      />
      <TableParts {...parts} onTry={(input) => draft.fill({ ...call, input })} onMarked={setMarked} />
      <CallForm {...{ decision, draft, examples, proofs, reply }} />
      <section class="card">
        {table === undefined || marked === undefined || decision.content === undefined ? (
          <Ladder rungs={rungsOf(decision, reply)} descriptions={decision.ruleDescriptions} />
        ) : (
          <table.DecidingRows decision={decision} content={decision.content} marked={marked} />
        )}
      </section>
      <Console title="Console of the rules" lines={evaluated?.told.console ?? []} />
    </>
  );
}

/** Why the outcome is not that of the form, if so. */
function staleText(isBroken: boolean, ready: boolean): string | undefined {
  if (isBroken) return "The code has a mistake. This is the outcome of the code before it.";
  return ready ? undefined : "The form cannot be evaluated. This is the last outcome.";
}

interface CallFormProps extends Pick<TryDecisionProps, "decision"> {
  readonly draft: CallDraft;
  readonly examples: readonly WorkedExample[];
  readonly proofs: Proofs;
  readonly reply: Reply | undefined;
}

/** What a call consists of: the input, and maybe a profile. */
function CallForm({ decision, draft, examples, proofs, reply }: CallFormProps) {
  return (
    <form
      class="card call"
      aria-labelledby="call-title"
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <div class="card-head">
        <h2 id="call-title">Input</h2>
      </div>
      <ExampleBar
        examples={examples}
        call={draft.call}
        proofs={proofs}
        ruleIds={decision.ruleIds}
        onPick={(example) => draft.fill(callOf(example))}
        onClear={() => draft.fill({ input: isObject(draft.input.value) ? {} : undefined })}
      />
      <ValueEditor
        part="input"
        title="Values"
        schema={decision.inputSchema}
        edited={draft.input}
        issues={issuesIn(reply, "input", draft.input.value)}
        onChange={draft.setInput}
      />
      <ProfileEditor
        schema={decision.profileSchema}
        defaultProfile={decision.defaultProfile}
        namedProfiles={[]}
        name={undefined}
        allowed={true}
        merges={false}
        edited={draft.profile}
        issues={issuesIn(reply, "profile", draft.profile?.value)}
        onChange={draft.setProfile}
        onName={() => undefined}
      />
    </form>
  );
}

function callOf({ input, profile }: PlaygroundCall): PlaygroundCall {
  return { input, ...(profile === undefined ? {} : { profile }) };
}

/** What the components of the docs page show: there, a service replies. */
function replyOf({ input, profile }: PlaygroundCall, { result, mistake }: Told): Reply {
  return {
    httpStatus: 200,
    requestId: undefined,
    milliseconds: 0,
    body: mistake === undefined ? result : { code: "EVALUATION_FAILED", error: mistake.message },
    sent: { input, profile },
  };
}

/** What the form shows at its fields: also mistakes that only it knows. */
function issuesIn(reply: Reply | undefined, part: "input" | "profile", now: unknown): readonly Issue[] {
  const isCurrent = reply !== undefined && sameJson(reply.sent[part], now);
  return [...draftIssues(now), ...(isCurrent ? issuesOf(reply, part) : [])];
}

function rungsOf({ ruleIds, mediaType }: OpenedDecision, reply: Reply | undefined) {
  const evaluated = evaluatedRungs(reply?.body);
  if (mediaType !== undefined) return evaluated;
  // Where no rule was reached, there is nothing to say about each of them.
  return ladderOf(ruleIds, evaluated.length === 0 ? undefined : reply);
}
