import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { modelType } from "../dmn/model-section.js";
import { fieldId } from "../form/form-context.js";
import { draftOf, useKeptCalls } from "../history/history.js";
import { readPointer, sameJson } from "../json/values.js";
import { draftIssues, type Edited, type SharedCall } from "../model/call.js";
import type { DocsDecision } from "../model/data.js";
import { workedExamples } from "../model/examples.js";
import { withValueAt } from "../model/flip-text.js";
import { type Issue, issuesOf, type Reply } from "../model/reply.js";
import { evaluate } from "../service/api.js";
import { useProofs } from "./example-bar.js";
import { useExplanation } from "./flip-panel.js";
import { focusWrong, isOutOfSight } from "./send-bar.js";
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
  /** Whether the service tells what would change a result. */
  readonly explains: boolean;
  /** Whether the page evaluates by itself after each change. */
  readonly live: boolean;
  /** Where the page of records is. Undefined where there is none. */
  readonly records: string | undefined;
  /** Whether the host takes drafts of tables. */
  readonly publishes: boolean;
}

/** What the form and the outcome of a call share. */
export type TryItState = ReturnType<typeof useTryIt>;

/** Keeps the call, its evaluation and what was tried before. */
export function useTryIt(props: TryItProps) {
  const { id, version, decision, shared, apiKey, profileOverride, profileMerge, explains, live } = props;
  const examples = useMemo(() => workedExamples(decision, profileOverride), [decision, profileOverride]);
  const [kept] = useState(() => draftOf(id));
  const first: SharedCall = shared ?? kept ?? examples[0] ?? { input: {} };
  const draft = useCallDraft({ first, profileOverride, profileMerge });
  const { call, ready } = draft;
  const traced = decision.uses.length > 0 || decision.mediaType === modelType;
  const evaluation = useEvaluation({ id, version, call, ready, traced, apiKey, live });
  const proofs = useProofs(examples, (one) => evaluate({ id, version, traced: false, live }, one, apiKey));
  const { reply, busy } = evaluation;
  // A shared call is shown with its outcome, also where the page does not evaluate by itself.
  const sends = shared !== undefined && !live && ready;
  const awaits = reply === undefined && (live || busy || sends);
  useAddress(call, id, version);
  useExplanation({ id, version, apiKey, explains, awaits, call, reply });
  const touched = useTouched();
  const restore = (restored: SharedCall) => {
    touched.reset();
    draft.fill(restored);
    evaluation.restart();
  };
  const keptCalls = useKeptCalls({ id, version, call, untouched: examples[0], reply, restore });
  const sending = useSending(evaluation, ready, sends);
  const inputIssues = currentIssues(reply, "input", draft.input.value);
  const profileIssues = currentIssues(reply, "profile", draft.profile?.value);
  // An empty field isn't a mistake before the user has visited it, or has asked for the evaluation.
  const isDue = (part: "input" | "profile") => (issue: Issue) =>
    reply?.live !== true ||
    touched.has(fieldId(part, issue.path)) ||
    readPointer(call[part], issue.path) !== undefined;
  const dueIssues = [inputIssues.filter(isDue("input")), profileIssues.filter(isDue("profile"))] as const;
  const missing = inputIssues.length + profileIssues.length;
  return {
    ...draft,
    ...keptCalls,
    ...sending,
    ...changes(draft, keptCalls.remember),
    /** Whether the form has what was written before, maybe for another version. */
    isKept: shared === undefined && kept !== undefined,
    notice: noticeOf(props, kept !== undefined),
    examples,
    proofs,
    reply,
    busy,
    updating: evaluation.updating,
    cancel: evaluation.cancel,
    stale: staleText(live, ready, reply, call),
    inputIssues: dueIssues[0],
    profileIssues: dueIssues[1],
    /** How many fields are empty that must not be, where nothing else is wrong. */
    missing: dueIssues.every((issues) => issues.length === 0) ? missing : 0,
    touch: touched.add,
  };
}

/** What the page could not do of what its address asks for. */
function noticeOf(
  { unreadable, shared, profileOverride }: TryItProps,
  hasDraft: boolean,
): string | undefined {
  if (unreadable)
    return `The call in this link cannot be read. Here is ${hasDraft ? "what you had in the form" : "the first example"} instead.`;
  if (shared?.profile === undefined || profileOverride) return undefined;
  return "This link has a profile, but the service takes none from callers: its own profile applies.";
}

/** The fields that somebody has been in since the form was filled. */
function useTouched() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (id: string) => ids.has(id),
    add: (id: string) => {
      if (id !== "" && !ids.has(id)) setIds(new Set([...ids, id]));
    },
    reset: () => setIds(new Set()),
  };
}

/** Sends the call in the form, and shows what is wrong with it, or what came of it. */
function useSending(evaluation: ReturnType<typeof useEvaluation>, ready: boolean, isDue: boolean) {
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLElement>(null);
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
  const due = useRef(isDue);
  useEffect(() => {
    if (due.current) void send();
    due.current = false;
  }, []);
  return { form, outcome, show, send };
}

/** Changes of the form that Undo takes back. */
function changes(
  { input, profile, setInput, setProfile, setProfileName }: ReturnType<typeof useCallDraft>,
  remember: ReturnType<typeof useKeptCalls>["remember"],
) {
  return {
    changeProfile: (next: Edited | undefined) => {
      const isSwitched = (next === undefined) !== (profile === undefined);
      remember(isSwitched ? "profile" : "profile-fields");
      setProfile(next);
    },
    changeProfileName: (name: string | undefined) => {
      remember("profile");
      setProfileName(name);
    },
    applyFlip: (pointer: string, value: unknown) => {
      remember("call");
      setInput({ value: withValueAt(input.value, pointer, value) });
    },
  };
}

/** Why the outcome is not that of the form, if so. */
function staleText(live: boolean, ready: boolean, reply: Reply | undefined, call: SharedCall) {
  if (reply === undefined) return undefined;
  if (live)
    return ready ? undefined : "The form cannot be sent. This is the outcome of the last call that could.";
  return sameJson(reply.sent, call) ? undefined : "The form has changed. Evaluate again.";
}

/** An error applies to the value that was sent. Once that value has changed, the error is out of date. */
function currentIssues(reply: Reply | undefined, part: "input" | "profile", now: unknown): readonly Issue[] {
  const told = reply === undefined ? [] : issuesOf(reply, part);
  const isCurrent = ({ path }: Issue): boolean =>
    sameJson(readPointer(reply?.sent[part], path), readPointer(now, path));
  return [...draftIssues(now), ...told.filter(isCurrent)];
}
