import type { TableAnalysis, TableCall, TableDocument, TableProblem } from "@decern/table/browser";
import { useEffect, useState } from "preact/hooks";
import { type Draft, draftOf, redone, type Steps, stepTo, undone } from "../draft/draft.js";
import type { DraftReplies } from "../draft/draft-messages.js";
import { messageOf } from "../json/values.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { useLatest, useListener } from "../parts/browser.js";
import { DraftClient } from "./draft-client.js";
import { dropDrafts, isAbout, type KeptDraft, keepDraft, keptDraft } from "./kept-drafts.js";

/** How long a draft rests before it is checked, and before it is kept, in milliseconds. */
const rests = { check: 60, analysis: 350, keep: 300 } as const;

/** A draft that changes, and what goes back over its changes. */
export interface EditedDraft {
  readonly draft: Draft;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Edits a draft. `begin` starts anew with a different one. */
export function useSteps(first: () => Draft): EditedDraft & { begin(draft: Draft): void } {
  const [{ past, now, future }, setSteps] = useState<Steps>(() => ({ past: [], now: first(), future: [] }));
  return {
    draft: now,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    onChange: (next) => setSteps((last) => stepTo(last, next)),
    onUndo: () => setSteps(undone),
    onRedo: () => setSteps(redone),
    begin: (draft) => setSteps({ past: [], now: draft, future: [] }),
  };
}

/** A draft of a served table that the browser keeps, and its changes. */
export function useDraft({ id, version, versions, contentHash = "" }: DocsDecision, document: TableDocument) {
  const served = versions.map((one) => one.version);
  const fresh = () => ({ draft: draftOf(document), basedOn: contentHash, savedAt: undefined });
  const keptOrFresh = (): Begun => keptDraft({ id, version }, served) ?? fresh();
  const [begun, setBegun] = useState(keptOrFresh);
  const { basedOn, savedAt } = begun;
  const { begin, ...edited } = useSteps(() => begun.draft);
  const [isElsewhere, setElsewhere] = useElsewhere(id, version);
  const keep = () =>
    keepDraft({ id, version }, { draft: edited.draft, basedOn, savedAt: new Date().toISOString() });
  const isKept = useKeeping(keep, edited.draft, edited.draft !== begun.draft && !isElsewhere);
  const restart = (next: Begun) => {
    setBegun(next);
    begin(next.draft);
    setElsewhere(false);
  };
  return {
    edited,
    isKept,
    isElsewhere,
    basedOn,
    savedAt,
    /** Whether the table has been changed since the draft was made of it. */
    isOlder: basedOn !== contentHash,
    discard: () => {
      dropDrafts({ id, version }, served);
      restart(fresh());
    },
    /** Takes the draft of the other tab. */
    takeOther: () => restart(keptOrFresh()),
    /** Overwrites it. */
    keepOwn: () => {
      keep();
      setElsewhere(false);
    },
  };
}

/** What somebody began to edit: a draft that was kept, or one that was just made. */
type Begun = Omit<KeptDraft, "savedAt"> & { readonly savedAt: string | undefined };

/** Whether a tab other than this one has changed the draft that the browser keeps. */
function useElsewhere(id: string, version: string) {
  const [isElsewhere, setElsewhere] = useState(false);
  useListener("storage", (event) => {
    if (isAbout(event, { id, version })) setElsewhere(true);
  });
  return [isElsewhere, setElsewhere] as const;
}

/** Has a draft kept once it rests. While the browser has no room for it, leaving the page asks first. */
function useKeeping(keep: () => boolean, draft: Draft, isDue: boolean): boolean {
  const [isKept, setKept] = useState(true);
  useEffect(() => {
    if (!isDue) return undefined;
    const timer = setTimeout(() => setKept(keep()), rests.keep);
    return () => clearTimeout(timer);
  }, [draft, isDue]);
  useListener("beforeunload", (event) => event.preventDefault(), !isKept);
  return isKept;
}

/** What is known of a draft. */
export interface CheckedDraft {
  /** The draft that it is about, which may have changed since. */
  readonly draft: Draft;
  readonly problems: readonly TableProblem[];
  /** Of its content, if it can be read. */
  readonly hash: string | undefined;
  /** Why it could not be checked. */
  readonly failure?: string;
  /** What each call evaluates to, where the draft can be read. */
  readonly results: DraftReplies["evaluate"];
}

/** A worker for a draft, as long as the same table is served. */
export function useDraftClient(decision: DocsDecision, content: DocsContent): DraftClient | undefined {
  const [client, setClient] = useState<DraftClient>();
  useEffect(() => {
    const opened = new DraftClient(decision, content);
    setClient(opened);
    return () => opened.end();
  }, [decision, content]);
  return client;
}

/** Checks a draft after each change, and evaluates calls with it. */
export function useChecked(
  client: DraftClient | undefined,
  draft: Draft,
  calls: readonly TableCall[],
): CheckedDraft | undefined {
  const [checked, setChecked] = useState<CheckedDraft>();
  useEffect(() => {
    if (client === undefined) return undefined;
    let wanted = true;
    const run = async () => {
      const { problems, hash } = await client.ask(draft, "check", undefined);
      if (!wanted) return;
      const results = hash === undefined ? [] : await client.ask(draft, "evaluate", calls);
      if (wanted) setChecked({ draft, problems, hash, results });
    };
    const timer = setTimeout(() => {
      run().catch((error: unknown) => {
        if (!wanted) return;
        setChecked({ draft, problems: [], hash: undefined, failure: messageOf(error), results: [] });
      });
    }, rests.check);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [client, draft, calls]);
  return checked;
}

/** What the analysis found in a draft that can be read. */
export interface AnalyzedDraft {
  readonly draft: Draft;
  readonly analysis?: TableAnalysis;
  readonly failure?: string;
}

/** Analyzes a draft once it rests, in a worker of its own: it takes seconds for a large table, and starts anew with each change. */
export function useAnalyzed(
  decision: DocsDecision,
  content: DocsContent,
  draft: Draft | undefined,
  profile: unknown,
): AnalyzedDraft | undefined {
  const [analyzed, setAnalyzed] = useState<AnalyzedDraft>();
  const latest = useLatest(profile);
  useEffect(() => {
    if (draft === undefined) return undefined;
    let client: DraftClient | undefined;
    const timer = setTimeout(() => {
      client = new DraftClient(decision, content);
      client.ask(draft, "analyze", { profile: latest.current }).then(
        (analysis) => {
          client?.end();
          setAnalyzed({ draft, analysis });
        },
        (error: unknown) => setAnalyzed({ draft, failure: messageOf(error) }),
      );
    }, rests.analysis);
    return () => {
      clearTimeout(timer);
      client?.end();
    };
  }, [decision, content, draft, profile]);
  return analyzed;
}
