import type { TableAnalysis, TableCall, TableDocument, TableProblem } from "@decern/table/browser";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Draft, draftOf, redone, type Steps, stepTo, undone } from "../draft/draft.js";
import type { DraftReplies } from "../draft/draft-messages.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { DraftClient } from "./draft-client.js";
import { dropDrafts, isAbout, keepDraft, keptDraft } from "./kept-drafts.js";

/** How long a draft rests before it is checked, and before it is kept, in milliseconds. */
const rests = { check: 60, analysis: 350, keep: 300 } as const;

/** A draft of a served table that the browser keeps, and its changes. */
export function useDraft(decision: DocsDecision, document: TableDocument) {
  const { id, version, contentHash = "" } = decision;
  const served = decision.versions.map((one) => one.version);
  const fresh = (): Steps => ({ past: [], now: draftOf(document), future: [] });
  const [begun, setBegun] = useState(() => {
    const kept = keptDraft({ id, version }, served);
    const steps = kept === undefined ? fresh() : { past: [], now: kept.draft, future: [] };
    return { steps, basedOn: kept?.basedOn ?? contentHash, savedAt: kept?.savedAt };
  });
  const [steps, setSteps] = useState(begun.steps);
  const [isKept, setKept] = useState(true);
  /** Whether a tab other than this one has changed the draft that the browser keeps. */
  const [isElsewhere, setElsewhere] = useState(false);
  const { now } = steps;
  const first = begun.steps.now;
  useEffect(() => {
    if (now === first || isElsewhere) return undefined;
    const timer = setTimeout(() => {
      const savedAt = new Date().toISOString();
      setKept(keepDraft({ id, version }, { draft: now, basedOn: begun.basedOn, savedAt }));
    }, rests.keep);
    return () => clearTimeout(timer);
  }, [now, first, isElsewhere]);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (isAbout(event, { id, version })) setElsewhere(true);
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [id, version]);
  useEffect(() => {
    if (isKept) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isKept]);
  const restart = (next: typeof begun) => {
    setBegun(next);
    setSteps(next.steps);
    setElsewhere(false);
  };
  return {
    steps,
    isKept,
    isElsewhere,
    /** The `contentHash` of the table that it was made of. */
    basedOn: begun.basedOn,
    /** When it was kept last, if it was not begun just now. */
    savedAt: begun.savedAt,
    /** Whether the table has been changed since the draft was made of it. */
    isOlder: begun.basedOn !== contentHash,
    change: (next: Draft) => setSteps((last) => stepTo(last, next)),
    undo: () => setSteps(undone),
    redo: () => setSteps(redone),
    discard: () => {
      dropDrafts({ id, version }, served);
      restart({ steps: fresh(), basedOn: contentHash, savedAt: undefined });
    },
    /** Takes the draft of the other tab. */
    takeOther: () => {
      const kept = keptDraft({ id, version }, served);
      restart({
        steps: kept === undefined ? fresh() : { past: [], now: kept.draft, future: [] },
        basedOn: kept?.basedOn ?? contentHash,
        savedAt: kept?.savedAt,
      });
    },
    /** Overwrites it. */
    keepOwn: () => {
      keepDraft({ id, version }, { draft: now, basedOn: begun.basedOn, savedAt: new Date().toISOString() });
      setElsewhere(false);
    },
  };
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
        const failure = error instanceof Error ? error.message : String(error);
        if (wanted) setChecked({ draft, problems: [], hash: undefined, failure, results: [] });
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
  const latest = useRef(profile);
  latest.current = profile;
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
        (error: unknown) =>
          setAnalyzed({ draft, failure: error instanceof Error ? error.message : String(error) }),
      );
    }, rests.analysis);
    return () => {
      clearTimeout(timer);
      client?.end();
    };
  }, [decision, content, draft, profile]);
  return analyzed;
}
