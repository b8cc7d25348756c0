import { mergePatch } from "@decern/core/tools";
import type { TableAnalysis } from "@decern/table/browser";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SharedCall } from "../model/call.js";
import type { DocsContent, DocsDecision } from "../model/data.js";
import { type Reply, versionOf } from "../model/reply.js";
import { settled, useSame } from "../parts/browser.js";
import { canMark, instantOf, type MarkedRows, markedRows } from "./marked-rows.js";
import { TableClient } from "./table-client.js";

interface TableOptions {
  readonly decision: DocsDecision;
  readonly content: DocsContent;
  /** The call in the form. */
  readonly call: SharedCall;
  readonly reply: Reply | undefined;
  /** Whether a caller's profile is merged into the host's. */
  readonly profileMerge: boolean;
}

/** What is known of a table next to the reply on screen. */
export interface KnownTable {
  readonly marked: MarkedRows | undefined;
  /** Why there are no marks, in a sentence. */
  readonly unmarked: string | undefined;
  readonly analysis: TableAnalysis | undefined;
  /** Why there is no analysis, in a sentence. */
  readonly unanalyzed: string | undefined;
}

/** Has the table marked for each reply, and analyzed for each profile. */
export function useTable({ decision, content, call, reply, profileMerge }: TableOptions): KnownTable {
  const profile = useSame(profileOf(decision, call, profileMerge));
  return {
    ...useMarks(decision, content, reply, profileMerge),
    ...useAnalysis(decision, content, profile),
  };
}

/** The profile of a call, as far as the page knows those of the host. */
export function profileOf(
  { defaultProfile = {}, namedProfiles }: Pick<DocsDecision, "defaultProfile" | "namedProfiles">,
  { profile, profileName }: Reply["sent"] | SharedCall,
  merges: boolean,
): unknown {
  const named = namedProfiles.find(({ name }) => name === profileName);
  const host = named === undefined ? defaultProfile : named.profile;
  if (profile === undefined) return host;
  return merges ? mergePatch(host, profile) : profile;
}

const contradiction =
  "What the service returns does not follow from the cells and the schemas alone, so the cells are not marked.";

function useMarks(
  decision: DocsDecision,
  content: DocsContent,
  reply: Reply | undefined,
  merges: boolean,
): Pick<KnownTable, "marked" | "unmarked"> {
  const [known, setKnown] = useState<Pick<KnownTable, "marked" | "unmarked">>(nothingMarked);
  const client = useRef<TableClient | undefined>(undefined);
  useEffect(() => {
    const opened = new TableClient(decision, content);
    client.current = opened;
    return () => opened.end();
  }, [decision, content]);
  useEffect(() => {
    if (!canMark(reply) || (versionOf(reply) ?? decision.version) !== decision.version) {
      setKnown(nothingMarked);
      return undefined;
    }
    const { input } = reply.sent;
    const call = { input, profile: profileOf(decision, reply.sent, merges), nowMs: instantOf(reply) };
    const asked = client.current?.mark(call);
    return (
      asked &&
      settled(asked, ({ marks, problem }) => {
        const marked = marks && markedRows(marks, reply);
        const why = problem === undefined ? contradiction : `The page cannot mark the cells: ${problem}`;
        setKnown({ marked, unmarked: marked === undefined ? why : undefined });
      })
    );
  }, [decision, content, reply, merges]);
  return known;
}

const nothingMarked = { marked: undefined, unmarked: undefined };

/** In a worker of its own, because it takes seconds for a large table, and starts anew with each profile. */
function useAnalysis(
  decision: DocsDecision,
  content: DocsContent,
  profile: unknown,
): Pick<KnownTable, "analysis" | "unanalyzed"> {
  const [known, setKnown] = useState<Pick<KnownTable, "analysis" | "unanalyzed">>(nothingAnalyzed);
  useEffect(() => {
    setKnown(nothingAnalyzed);
    const client = new TableClient(decision, content);
    void client.analyze(profile).then(({ analysis, problem }) => {
      client.end();
      setKnown({
        analysis,
        unanalyzed: problem === undefined ? undefined : `The page cannot analyze the table: ${problem}`,
      });
    });
    return () => client.end();
  }, [decision, content, profile]);
  return known;
}

const nothingAnalyzed = { analysis: undefined, unanalyzed: undefined };
